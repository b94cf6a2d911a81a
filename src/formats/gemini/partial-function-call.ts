import type { ToolCall } from '../../model/tool-call.ts';
import { isRecord, type JsonValue, setOwn } from '../../schema/json.ts';
import { partialCall } from '../partial-call.ts';
import { givenId } from './function-call.ts';
import type { Fields } from './origin.ts';

type Container = Record<string, unknown>;

/** A call whose arguments come in pieces, each with the path of the value that it belongs to (Vertex AI, PartialArg). */
export class PartialFunctionCall {
  #wire: Container = {};
  #sides: Fields = {};
  readonly #args: Container = {};
  /** The path of the text that goes on. */
  #path: unknown;
  #isWhole = false;
  /** The arguments as far as they came, until the next that does not go on with the last. */
  #text: string | undefined;

  /** Whether a part begins such a call. */
  static isBegunBy({ functionCall }: Fields): boolean {
    return (
      isRecord(functionCall) && (functionCall['willContinue'] === true || Array.isArray(functionCall['partialArgs']))
    );
  }

  /** Takes a part, if it goes on with this call: one with a name begins another. */
  takes({ functionCall, ...sides }: Fields): boolean {
    if (!isRecord(functionCall) || this.#isWhole || (this.#wire['name'] && functionCall['name'])) return false;
    const { partialArgs, willContinue, ...others } = functionCall;
    this.#wire = { ...this.#wire, ...others };
    this.#sides = { ...this.#sides, ...sides };
    if (Array.isArray(partialArgs)) for (const arg of partialArgs as readonly unknown[]) this.#set(arg);
    this.#isWhole = willContinue !== true;
    return true;
  }

  #set(arg: unknown): void {
    if (!isRecord(arg) || typeof arg['jsonPath'] !== 'string') return;
    const { jsonPath, stringValue, numberValue, boolValue, willContinue } = arg;
    const value = (stringValue ?? numberValue ?? boolValue ?? null) as JsonValue;
    const keys = keysOf(jsonPath);
    const last = keys.pop();
    if (last === undefined) return;
    const container = keys.reduce<Container>(
      (within, key, at) => childOf(within, key, keys[at + 1] ?? last),
      this.#args,
    );
    const goesOn = this.#path === jsonPath;
    put(container, last, goesOn && typeof value === 'string' ? `${container[last] as string}${value}` : value);
    this.#path = willContinue === true ? jsonPath : undefined;
    const isLonger = goesOn && willContinue === true && this.#text !== undefined;
    this.#text = isLonger ? this.#text + quoted(value) : undefined;
  }

  /** Up to the text that goes on, which comes last. */
  #textSoFar(): string {
    const text = JSON.stringify(this.#args);
    return this.#path === undefined ? text : text.slice(0, text.lastIndexOf('"'));
  }

  /** The call as far as it came; undefined where nothing of it did. */
  soFar(seed: string): ToolCall | undefined {
    const { id, name } = this.#wire;
    this.#text ??= this.#textSoFar();
    return partialCall(givenId(id) ?? seed, name, name === undefined && this.#text === '{}' ? '' : this.#text);
  }

  /** The part as the wire has it without a stream. */
  whole(): Fields {
    return { functionCall: { args: this.#args, ...this.#wire }, ...this.#sides };
  }
}

/** A piece of text as it stands in JSON text. */
function quoted(piece: unknown): string {
  return JSON.stringify(piece).slice(1, -1);
}

/** The keys of a normalized path: `$.a[0]['b c']` (RFC 9535). */
function keysOf(path: string): string[] {
  const steps = path.matchAll(/\.([^.[]+)|\[(\d+)\]|\[(['"])((?:[^\\]|\\.)*?)\3\]/gs);
  return Array.from(steps, ([, name, index, , key = '']) => name ?? index ?? key.replaceAll(/\\(.)/gs, '$1'));
}

/** The list or object under a key; made where it is not there yet: a list where the key in it is a number. */
function childOf(container: Container, key: string, inner: string): Container {
  const child = Object.hasOwn(container, key) ? container[key] : undefined;
  if (typeof child === 'object' && child !== null) return child as Container;
  const made = (/^\d+$/.test(inner) ? [] : {}) as Container;
  put(container, key, made);
  return made;
}

/** A value under a key; in a list behind all others at the most. */
function put(container: Container, key: string, value: unknown): void {
  if (Array.isArray(container)) container[Math.min(Number(key), container.length)] = value;
  else setOwn(container as Record<string, JsonValue>, key, value as JsonValue);
}
