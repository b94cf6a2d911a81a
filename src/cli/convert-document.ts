import type { EncodeOptions, Loss, Report } from '../formats/format.ts';
import { lossError } from '../formats/open-report.ts';
import { prepare } from '../formats/prepare.ts';
import type { MessageStore } from '../model/message-store.ts';
import { at } from './failure.ts';
import { formatNamed } from './formats.ts';
import type { Document } from './input/open-documents.ts';
import { storeOf } from './input/open-source.ts';
import { readDocument, type Reading } from './input/read-document.ts';

/** How a document is converted. */
export interface Conversion {
  /** The name of a format, `store`, or `auto` for what the shape says. */
  readonly from: string;
  /** The name of a format, or `store`. */
  readonly to: string;
  /** Whether losses, and histories that a provider would refuse, are errors. */
  readonly strict?: boolean;
  /** What becomes of calls at the end that wait for their answers. */
  readonly openTurn?: 'throw' | 'cancel';
}

/** A loss or a repair, and whether it came up while reading or while writing. */
export interface Entry extends Loss {
  readonly step: 'read' | 'write';
  readonly kind: 'loss' | 'repair';
}

/** What a document became, and what was lost or repaired on the way. */
export interface Converted {
  readonly payload: unknown;
  readonly entries: readonly Entry[];
}

/**
 * A document in another form.
 *
 * @throws Failure naming the place, and the path of what cannot be read or written
 */
export function convertDocument(
  document: Document,
  { from, to, strict = false, openTurn = 'throw' }: Conversion,
): Converted {
  const reading = readDocument(document, { strict, ...(from !== 'auto' && { from }) });
  return at(document.place, () => {
    if (strict && reading.report.losses.length > 0) throw lossError(reading.report.losses);
    const options: EncodeOptions = { openTurn, ...(strict && { invalid: 'throw', losses: 'throw' }) };
    const { payload, report } = write(reading, to, options);
    return { payload, entries: [...entriesOf('read', reading.report), ...entriesOf('write', report)] };
  });
}

function write(reading: Reading, to: string, options: EncodeOptions): { payload: unknown; report: Report } {
  const format = formatNamed(to);
  if (format !== undefined) return format.encode(reading.history, options);
  return { payload: writeStore(reading, options), report: { losses: [], repairs: [] } };
}

/** A store keeps a history as it is, calls that wait for their answers too. */
function writeStore(reading: Reading, { invalid }: EncodeOptions): MessageStore {
  if (invalid === 'throw') prepare(reading.history, { invalid, openTurn: 'cancel' });
  return storeOf(reading);
}

function entriesOf(step: Entry['step'], { losses, repairs }: Report): Entry[] {
  return [
    ...losses.map((loss): Entry => ({ step, kind: 'loss', ...loss })),
    ...repairs.map((repair): Entry => ({ step, kind: 'repair', ...repair })),
  ];
}
