import { type Prepared, prepare } from './prepare.ts';
import type { Encoded, EncodeInput, EncodeOptions, EncodeReport, Explanation, Loss, Repair } from './format.ts';
import { explainPath } from './explain.ts';
import { OpenReport } from './open-report.ts';

/**
 * What a format's `encode` gives: `build` makes the payload of messages in which calls and answers fit together, and
 * tells what it loses. It is a pure function, since an explanation calls it again.
 *
 * @throws what {@link prepare} and {@link OpenReport.close} throw
 */
export function encodeWith<Payload>(
  input: EncodeInput,
  options: EncodeOptions,
  build: (prepared: Prepared, report: OpenReport) => Payload,
): Encoded<Payload> {
  const prepared = prepare(input, options);
  const report = new OpenReport(prepared.repairs, options);
  const payload = build(prepared, report);
  const { losses, repairs } = report.close();
  return { payload, report: new ClosedReport(losses, repairs, (path) => explainPath(path, prepared, build)) };
}

class ClosedReport implements EncodeReport {
  readonly losses: readonly Loss[];
  readonly repairs: readonly Repair[];
  readonly #explain: (path: string) => readonly Explanation[];

  constructor(losses: readonly Loss[], repairs: readonly Repair[], explain: ClosedReport['explain']) {
    this.losses = losses;
    this.repairs = repairs;
    this.#explain = explain;
  }

  explain(path: string): readonly Explanation[] {
    return this.#explain(path);
  }
}
