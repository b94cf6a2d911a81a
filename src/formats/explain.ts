import type { Message } from '../model/message.ts';
import { isRecord } from '../schema/json.ts';
import type { Explanation, Report } from './format.ts';
import { OpenReport, type Place } from './open-report.ts';
import type { Prepared } from './prepare.ts';

/** A report that notes which element of the payload stands for what. */
class TracingReport extends OpenReport {
  override readonly isTracing = true;
  readonly places = new Map<object, Place>();

  override made(element: object, place: Place): void {
    this.places.set(element, place);
  }
}

/** What stands at a path of the payload that `build` makes of these messages. Makes it once more, and is linear in it. */
export function explainPath(
  path: string,
  prepared: Prepared,
  build: (prepared: Prepared, report: OpenReport) => unknown,
): readonly Explanation[] {
  const report = new TracingReport(prepared, {});
  const steps = stepsTo(build(prepared, report), path);
  const told = report.close();
  for (const element of steps.toReversed()) {
    const paths = new Set(placesIn(element, report.places).map((place) => pathOf(place, prepared)));
    if (paths.size > 0) return Array.from(paths, (at) => explained(at, prepared, told));
  }
  return [];
}

function pathOf(place: Place, { placeOf }: Prepared): string {
  return typeof place === 'number' ? `messages[${placeOf(place)}]` : place;
}

/** The elements on the way along a path, as far as it leads; none where an item of a list is missing. */
function stepsTo(payload: unknown, path: string): object[] {
  const steps: object[] = [];
  let element = payload;
  for (const key of path.match(/[\w-]+/g) ?? []) {
    const inner = isElement(element) && Object.keys(element).includes(key) ? element[key] : undefined;
    // Words before the path, as errors have them, are passed over.
    if (inner === undefined && element === payload) continue;
    if (inner === undefined) return Array.isArray(element) ? [] : steps;
    element = inner;
    if (isElement(element)) steps.push(element);
  }
  return steps;
}

function isElement(value: unknown): value is Readonly<Record<string, unknown>> {
  return Array.isArray(value) || isRecord(value);
}

/** Where an element comes from, or the elements in it. */
function placesIn(element: object, places: ReadonlyMap<object, Place>): readonly Place[] {
  const place = places.get(element);
  if (place !== undefined) return [place];
  return (Object.values(element) as unknown[]).filter(isElement).flatMap((inner) => placesIn(inner, places));
}

function explained(path: string, { given }: Prepared, { losses, repairs }: Report): Explanation {
  const [, index, field, at] = path.split(/\W+/);
  const message = given.at(Number(index)) as Message;
  const part = partOf(message, field, Number(at));
  const rules = [...losses, ...repairs].filter((rule) => isWithin(rule.path, path) || isWithin(path, rule.path));
  return { path, message, ...(part && { part }), rules };
}

function partOf(message: Message, field: string | undefined, at: number): Explanation['part'] {
  if (field === 'content') return message.content.parts.at(at);
  return field === 'toolCalls' ? message.toolCalls.at(at) : message.toolResult;
}

function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && !/^\w/.test(path.slice(outer.length));
}
