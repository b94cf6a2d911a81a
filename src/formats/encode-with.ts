import type { CacheMarkStyle } from '../context/cache-marks.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { Encoded, EncodeInput, EncodeOptions, EncodeReport, Explanation } from './format.ts';
import { explainPath } from './explain.ts';
import { OpenReport } from './open-report.ts';

/**
 * What a format's `encode` gives: `build` makes the payload of messages in which calls and answers fit together, and
 * tells what it loses. It is a pure function, since an explanation calls it again. `cacheMarks` is how the wire spells
 * those, `spelled` a path of the provider's errors as the payload spells it.
 *
 * @throws what {@link prepare} and {@link OpenReport.close} throw
 */
export function encodeWith<Payload>(
  input: EncodeInput,
  options: EncodeOptions,
  build: (prepared: Prepared, report: OpenReport) => Payload,
  cacheMarks?: CacheMarkStyle,
  spelled = (path: string): string => path,
): Encoded<Payload> {
  const prepared = prepare(input, options, cacheMarks);
  const report = new OpenReport(prepared, options);
  const payload = build(prepared, report);
  const explain = (path: string): readonly Explanation[] => explainPath(spelled(path), prepared, build);
  // Not enumerable, so that a report is compared and printed as what was told.
  return { payload, report: Object.defineProperty(report.close(), 'explain', { value: explain }) as EncodeReport };
}
