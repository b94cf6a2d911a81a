import { MessageStoreError, reject } from '../errors.ts';
import { isRecord } from './json.ts';

/** The version that is written. */
export const STORE_VERSION = 1;

type Document = Record<string, unknown>;

/** What lifts a document of one version to the next. A version is never changed, only followed by another. */
const UPGRADES: Readonly<Record<number, (document: Document) => Document>> = {
  /** Documents without a version: the same shape, with parameters that may be missing. */
  0: (document) => ({ ...document, version: 1, parameters: document['parameters'] ?? {} }),
};

/**
 * A store document lifted to the current version; itself when it is current.
 *
 * @throws MessageStoreError `unsupported_version` when the document was written by a newer version of the library
 */
export function upgradeStore(value: unknown): unknown {
  if (!isRecord(value)) return value;
  let document = value;
  for (let version = versionOf(document); version < STORE_VERSION; version++) {
    document = (UPGRADES[version] as (typeof UPGRADES)[number])(document);
  }
  return document;
}

function versionOf(document: Document): number {
  const version = document['version'] ?? 0;
  if (!isVersion(version)) return reject('version', 'a whole number', version);
  if (version <= STORE_VERSION) return version;
  throw new MessageStoreError(
    'unsupported_version',
    `version: expected a document of version ${STORE_VERSION} or older, got ${version}. A newer message-store wrote it: update yours.`,
    { path: 'version', value: version },
  );
}

function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
