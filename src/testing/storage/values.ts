import type { JsonValue } from '../../schema/json.ts';
import type { Op } from '../../storage/storage.ts';
import { refused, same, sameText } from './check.ts';
import { type Place, storageCase } from './place.ts';
import { node, recordOf, type SessionUnderTest } from './session.ts';

const MIB = 2 ** 20;
/** Limits above this are not tried. */
const MOST = 64 * MIB;

/** S2, 21 to 24, 27 and 28: data that comes back with the same JSON text, or is refused. */
export const values = [
  storageCase('s2-21a', 'keeps every kind of JSON', async (place) => {
    const numbers = [0, -0, 1, -1, 0.1, 1e308, 5e-324, 1e21, 1e-7, 2 ** 53 - 1, -(2 ** 53), 123456789012345680000];
    const scalars = [null, true, false, '', '0', 'null', ...numbers];
    await comesBack(place, [...scalars, [], {}, [[]], [{}], { a: [] }, [null], scalars]);
  }),
  storageCase('s2-21b', 'keeps data that nests a thousand levels deep', async (place) => {
    await comesBack(place, [nested(1000, (inner) => [inner]), nested(1000, (a) => ({ a }))]);
  }),
  storageCase('s2-21c', 'keeps odd keys, and the order of keys', async (place) => {
    const odd = JSON.parse(
      '{"":1,"__proto__":{"x":1},"constructor":null,"b":1,"a":2,"10":3,"9":4,"a.b":5,"$":6}',
    ) as JsonValue;
    await comesBack(place, [odd, [odd], { toString: 1, hasOwnProperty: 2, length: 3 }]);
  }),
  storageCase('s2-22', 'keeps text of any script, and a line of 1 MiB', async (place) => {
    const texts = [
      'emoji 👩‍👩‍👧‍👦 🇳🇴 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      'combining e\u0301 \u1e9b\u0323 a\u0300\u0316',
      'lines \u2028 \u2029 \r\n \n \r \u0085',
      '\ufeffBOM \ufffe \uffff \ufffd',
      'right to left \u202e אבג عربى \u200f',
      'quotes \' " ` \\ \\\\ \\u0041 ; -- /* */ %s $1 ? :x {} []',
      '  blanks at both ends\t ',
      'controls \u0001 \u001f \u007f \u009f',
      '漢字 𠮷 \u{10ffff}',
    ];
    await comesBack(place, [...texts, { [texts.join('')]: texts }, 'x'.repeat(MIB), 'ü🙂'.repeat(MIB / 8)]);
  }),
  storageCase('s2-23a', 'keeps NUL and lone surrogates in data', async (place) => {
    const texts = ['\u0000', 'a\u0000b', '\u0000'.repeat(10), '\ud800', 'a\udc00b', '\udc00\ud800', 'x\ud83d'];
    await comesBack(place, [...texts, { '\u0000': 1, '\ud800': 2, '\udc00': 3 }]);
  }),
  storageCase('s2-23b', 'keeps such text in parameters, metadata, policies and drafts too', besideNodes),
  storageCase('s2-24a', 'refuses what JSON cannot hold, before anything is written', async (place) => {
    const session = await place.session([node('a')]);
    const before = await session.all();
    for (const [name, value] of notJson()) {
      const data = value as JsonValue;
      const ops: readonly Op[] = [
        node('b', { data }),
        { op: 'draft', id: 'b', node: recordOf('b', { data }) },
        { op: 'meta', patch: { key: [data] } },
        { op: 'section', name: 'chat', policy: { key: [data] } },
        ...(value === undefined ? [] : [{ op: 'param', key: 'k', value: data } as const]),
      ];
      for (const op of ops)
        await refused(`${op.op} with ${name}`, 'INVALID_DATA', async () => session.commit([node('c'), op]));
    }
    same('the session', await session.all(), before);
  }),
  storageCase('s2-24b', 'refuses what is no change', async (place) => {
    const session = await place.session([node('a')]);
    const before = await session.all();
    for (const op of [
      null,
      'node',
      {},
      { op: 'unknown' },
      { op: 'node' },
      { op: 'node', node: null },
      { op: 'meta', patch: [] },
    ])
      await refused(`the change ${JSON.stringify(op)}`, 'INVALID_DATA', async () =>
        session.commit([node('b'), op as Op]),
      );
    same('the session', await session.all(), before);
  }),
  storageCase('s2-24c', 'creates no session with metadata or parameters that JSON cannot hold', async (place) => {
    const [storage, id] = [await place.storage(), place.id()];
    const bad = { key: [1n] } as never;
    await refused('bad metadata', 'INVALID_DATA', async () => storage.create(id, { meta: bad }));
    await refused('bad parameters', 'INVALID_DATA', async () => storage.create(id, { params: bad }));
    same('the head', await storage.head(id), null);
  }),
  storageCase('s2-27a', 'keeps a node as large as it says, and refuses a larger one', async (place) => {
    const session = await place.session([node('a')]);
    const { maxNodeBytes } = session.storage.capabilities;
    if (maxNodeBytes > MOST) return;
    const largest = 'x'.repeat(maxNodeBytes - 2);
    await refused('a node above the limit', 'TOO_LARGE', async () =>
      session.commit([node('b'), node('c', { data: `${largest}x` })]),
    );
    same('the nodes', await session.scanIds(), ['a']);
    await session.commit([node('d', { data: largest })]);
    const { bytes, data } = await session.through(await place.again()).node('d');
    same('its size', [bytes, data === largest], [maxNodeBytes, true]);
  }),
  storageCase('s2-27b', 'keeps a commit as large as it says, and refuses a larger one', async (place) => {
    const session = await place.session([node('a')]);
    if (session.storage.capabilities.maxCommitBytes > MOST) return;
    const ops = largestCommit(session);
    await refused('a commit above the limit', 'TOO_LARGE', async () =>
      session.commit([...ops, node('z', { data: '' })]),
    );
    same('the nodes after it', await session.scanIds(), ['a']);
    await session.commit(ops);
    same('the number of nodes', (await session.through(await place.again()).head()).nodeCount, ops.length + 1);
  }),
  storageCase('s2-28', 'keeps nodes of unknown types', async (place) => {
    const records = ['summary', 'custom/type', 'Message', '', 'x'.repeat(128)].map((type, at) =>
      recordOf(`n${at}`, { type, at: '', data: { unknown: { fields: [at] } } }),
    );
    const session = await place.session(records.map((record) => node(record.id, record)));
    const found = await session.through(await place.again()).scanAll();
    same(
      'type, time and data',
      found.map(({ type, at, data }) => [type, at, data]),
      records.map(({ type, at, data }) => [type, at, data]),
    );
  }),
];

/** Stores values and reads them in another instance. */
async function comesBack(place: Place, all: readonly JsonValue[]): Promise<void> {
  const session = await place.session(all.map((data, at) => node(`n${at}`, { data })));
  const again = session.through(await place.again());
  const [stored, path] = [await again.scanAll(), await again.storage.path(session.id)];
  for (const [at, data] of all.entries()) {
    sameText(`value ${at}`, stored[at]?.data, data);
    sameText(`value ${at} on the path`, path.items[at]?.data, data);
    same(`the length of value ${at}`, stored[at]?.bytes, JSON.stringify(data).length);
  }
}

async function besideNodes(place: Place): Promise<void> {
  const odd = JSON.parse('{"nul":"a\\u0000b","half":["\\ud800"],"__proto__":1,"":null,"z":1,"a":2}') as {
    [key: string]: JsonValue;
  };
  const session = await place.session(
    [
      node('a'),
      { op: 'param', key: 'set', value: odd },
      { op: 'section', name: 'chat', policy: odd, extra: odd },
      { op: 'draft', id: 'd', node: recordOf('d', { data: odd }) },
    ],
    { meta: { odd }, params: { init: odd } },
  );
  const { storage, id } = session.through(await place.again());
  const [head, { params, sections, drafts }] = [await storage.head(id), await storage.extras(id)];
  sameText('metadata', head?.meta['odd'], odd);
  sameText('a parameter', params['set'], odd);
  sameText('a parameter of the beginning', params['init'], odd);
  sameText('policy and extra fields', [sections[0]?.policy, sections[0]?.extra], [odd, odd]);
  sameText('a draft', drafts[0]?.data, odd);
}

function nested(depth: number, wrap: (inner: JsonValue) => JsonValue): JsonValue {
  let value: JsonValue = wrap(1);
  for (let at = 1; at < depth; at++) value = wrap(value);
  return value;
}

function notJson(): readonly (readonly [string, unknown])[] {
  const cycle: unknown[] = [];
  cycle.push({ cycle });
  return [
    ['undefined', undefined],
    ['a list with undefined', [undefined]],
    ['a BigInt', 1n],
    ['a function', () => 1],
    ['a symbol', { key: Symbol('x') }],
    ['a cycle', cycle],
    ['NaN', [Number.NaN]],
    ['an infinity', Infinity],
    ['a Map', new Map([['a', 1]])],
    ['a nesting without end', nested(5000, (inner) => [inner])],
  ];
}

/** Nodes whose data fills one commit to the last character. */
function largestCommit({ storage }: SessionUnderTest): Op[] {
  const { maxCommitBytes, maxNodeBytes } = storage.capabilities;
  const ops: Op[] = [];
  for (let left = maxCommitBytes; left >= 2;) {
    const size = Math.min(maxNodeBytes, left - maxNodeBytes === 1 ? left - 2 : left);
    ops.push(node(`n${ops.length}`, { data: 'x'.repeat(size - 2) }));
    left -= size;
  }
  return ops;
}
