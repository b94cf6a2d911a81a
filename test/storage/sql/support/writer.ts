/**
 * A process that appends to a session, and says on its output what was acknowledged, a line each.
 *
 * `node writer.ts <kind> <target> <prefix> <session> <name> <count>`; a count of 0 only makes the tables.
 */
import { writeSync } from 'node:fs';
import { mysqlStorage, postgresStorage, sqliteStorage } from '../../../../src/storage/sql/index.ts';

const [kind = '', target = '', tablePrefix = '', session = '', name = '', count = '0'] = process.argv.slice(2);
const open = { sqlite: sqliteStorage, postgres: postgresStorage, mysql: mysqlStorage }[kind]!;
const storage = open(target, { tablePrefix });
await storage.migrate();
for (let at = 0; at < Number(count); at++) {
  const id = `${name}-${at}`;
  const node = { id, section: 'chat', type: 'message', at: '', data: { text: 'x'.repeat(300) } };
  await storage.commit(session, { id, ops: [{ op: 'node', node }] });
  writeSync(1, `${id}\n`);
}
await storage[Symbol.asyncDispose]();
