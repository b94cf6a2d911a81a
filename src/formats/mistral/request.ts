import type { ToolCall } from '../../model/tool-call.ts';
import { isRecord, NO_FIELDS } from '../../schema/json.ts';
import type { Origin } from '../../schema/origin.ts';
import type { OpenReport } from '../open-report.ts';
import { WireNames } from '../wire-names.ts';
import type { MistralOptions } from './options.ts';
import { copyOf, isOwn, keptOf, othersOf } from './origin.ts';
import type { MistralToolCall } from './wire.ts';

/** "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9": newer models take others as well. */
const CALL_ID = /^[a-zA-Z0-9]{9}$/;
/** "Function name was … but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64". */
export const TOOL_NAME = /^[\w-]{1,64}$/;
/** As much of a name is kept as leaves room for the hash. */
const KEPT = 53;

/** What the messages of one request share while they are encoded. */
export class Request {
  readonly report: OpenReport;
  readonly options: MistralOptions;
  readonly ids = new WireNames(
    (id) => CALL_ID.test(id),
    (_, hash) => hash.slice(1),
  );
  readonly toolNames = new WireNames(
    (name) => TOOL_NAME.test(name),
    (name, hash) => `${name.slice(0, KEPT).replaceAll(/[^\w-]/g, '_')}_${hash}`,
  );

  constructor(report: OpenReport, options: MistralOptions) {
    this.report = report;
    this.options = options;
  }

  /** The call at place `at` of a message, which comes from `origin` and stands at `place` of what was given. */
  encodeCall(call: ToolCall, at: number, place: number, origin: Origin | undefined): MistralToolCall {
    const id = this.named(this.ids, call.idString(), place, at);
    const name = this.named(this.toolNames, call.name, place, at);
    if (call.origin === undefined && call.extra === NO_FIELDS && call.kind === 'function' && !call.isMalformed())
      return { id, type: 'function', function: { name, arguments: call.argsText } };
    const path = pathOf(place, at);
    const { type = 'function', index } = keptOf(call.origin);
    const others = othersOf(call.extra, [], isOwn(call.origin ?? origin), (key, message) =>
      this.report.lose(`${path}.${key}`, 'tool-call-key', 'dropped', message),
    );
    return {
      ...others,
      id,
      ...(type !== null && { type: type as 'function' }),
      ...(index !== undefined && { index: index as number }),
      function: {
        ...(isRecord(others['function']) && others['function']),
        name,
        arguments: this.#arguments(call, path),
      },
    };
  }

  /** JSON text, or an object where it was read as one. */
  #arguments(call: ToolCall, path: string): string | Record<string, unknown> {
    if (call.kind === 'custom') {
      this.report.lose(path, 'custom-tool', 'degraded', 'free text goes out as { input }');
      return JSON.stringify({ input: call.argsText });
    }
    if (!this.report.takesArguments(call, path)) return '{}';
    return keptOf(call.origin)['arguments'] === 'object' ? copyOf(call.args) : call.argsText;
  }

  /** What stands for an id or a name: of the call at place `at` of a message, or of the message itself. */
  named(names: WireNames, own: string, place: number, at?: number): string {
    const sent = names.of(own);
    const rule = names === this.ids ? 'tool-call-id' : 'tool-name';
    if (sent !== own)
      this.report.repair(pathOf(place, at), rule, 'rewritten', `${JSON.stringify(own)} goes out as "${sent}"`);
    return sent;
  }
}

function pathOf(place: number, at?: number): string {
  return `messages[${place}]${at === undefined ? '.name' : `.toolCalls[${at}]`}`;
}
