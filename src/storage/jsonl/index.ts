/**
 * Sessions in files, for Node: `jsonlStorage` keeps each one as lines of JSON in a folder.
 *
 * @module
 */
export { type JsonlStorage, jsonlStorage } from './jsonl-storage.ts';
export type { JsonlStorageOptions } from './options.ts';
export type { RepairResult } from './repair.ts';
