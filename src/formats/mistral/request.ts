import type { ToolCall } from '../../model/tool-call.ts';
import { isRecord } from '../../schema/json.ts';
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

  /** A call of a message, which comes from `origin`; it stands at `path` of what was given. */
  encodeCall(call: ToolCall, path: string, origin: Origin | undefined): MistralToolCall {
    const { type = 'function', index } = keptOf(call.origin);
    const others = othersOf(call.extra, [], isOwn(call.origin ?? origin), (key, message) =>
      this.report.lose(`${path}.${key}`, 'tool-call-key', 'dropped', message),
    );
    const wire = {
      ...others,
      id: this.named(this.ids, call.idString(), path),
      ...(type !== null && { type: type as 'function' }),
      ...(index !== undefined && { index: index as number }),
      function: {
        ...(isRecord(others['function']) && others['function']),
        name: this.named(this.toolNames, call.name, path),
        arguments: this.#arguments(call, path),
      },
    };
    this.report.made(wire, path);
    return wire;
  }

  /** JSON text, or an object where it was read as one. */
  #arguments(call: ToolCall, path: string): string | Record<string, unknown> {
    if (call.kind === 'custom') {
      this.report.lose(path, 'custom-tool', 'degraded', 'goes out as { input }');
      return JSON.stringify({ input: call.argsText });
    }
    if (!this.report.takesArguments(call, path)) return '{}';
    return keptOf(call.origin)['arguments'] === 'object' ? copyOf(call.args) : call.argsText;
  }

  /** What stands for an id or a name, which stands at `path` of what was given. */
  named(names: WireNames, own: string, path: string): string {
    const sent = names.of(own);
    const rule = names === this.ids ? 'call-id' : 'call-name';
    if (sent !== own) this.report.repair(path, rule, 'rewritten', `${JSON.stringify(own)} goes out as ${sent}`);
    return sent;
  }
}
