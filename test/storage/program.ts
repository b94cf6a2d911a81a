/** A program of the suite in a process of its own: `node program.ts <kind> <target> <prefix> <program> <session> …`. */
import { memoryStorage, type SessionStorage } from '../../src/index.ts';
import { jsonlStorage } from '../../src/storage/jsonl/index.ts';
import { mysqlStorage, postgresStorage, sqliteStorage } from '../../src/storage/sql/index.ts';
import { runStorageProgram } from '../../src/testing/index.ts';

const [kind = '', target = '', tablePrefix = '', program = '', ...args] = process.argv.slice(2);

const openers: Readonly<Record<string, () => SessionStorage>> = {
  memory: () => memoryStorage(),
  jsonl: () => jsonlStorage(target, { sync: 'none' }),
  sqlite: () => sqliteStorage(target, { tablePrefix }),
  postgres: () => postgresStorage(target, { tablePrefix }),
  mysql: () => mysqlStorage(target, { tablePrefix }),
};

const storage = (openers[kind] as () => SessionStorage)();
process.stdout.write(JSON.stringify(await runStorageProgram(program, storage, args)));
await storage[Symbol.asyncDispose]();
