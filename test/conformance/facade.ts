/** What a call in the reference's words passes: only the class that takes it can tell its type. */
type Given = any;
type Fn = (...args: Given[]) => unknown;

/** How a class of the library answers to the reference's names; what is not named here keeps its name. */
export interface Names<T> {
  /** What `new X(…)` does; default: `X.of(…)`. */
  readonly create?: Fn;
  /** Static members: the name here, or what to do. */
  readonly statics?: Readonly<Record<string, Fn | string>>;
  /** Instance members: the name here, or what to do with the instance and the arguments. */
  readonly members?: Readonly<Record<string, ((self: T, ...args: Given[]) => unknown) | string>>;
  /** Instance members that are read without a call. */
  readonly properties?: readonly string[];
}

/** One way to show a class: a proxy for each instance, kept, so that `===` holds. */
interface View {
  readonly library: object;
  readonly names: Names<never>;
  readonly prototype: object;
  readonly proxies: WeakMap<object, object>;
}

const RENAMED: Readonly<Record<string, string>> = { toArray: 'toJSON', count: 'size' };
const SPREAD: ReadonlySet<string> = new Set(['all', 'each', 'getIterator']);

/** The views, by the class of the library and by the class that shows it. */
const views = new Map<unknown, View>();
/** The instances behind the proxies. */
const targets = new WeakMap<object, object>();
const promised = new WeakSet<object>();

/** An id in the reference: an object around its text. A blank one stands for none. */
export class Id {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  toString(): string {
    return this.value;
  }

  toNullableString(): string | null {
    return this.value.trim() === '' ? null : this.value;
  }

  equals(other: Id): boolean {
    return this.value === other.value;
  }
}

/** Shows a class of the library, or a companion object, under the reference's names. */
export function facade<T>(library: object & { readonly prototype?: T }, names: Names<T> = {}): object {
  const view: View = { library, names, prototype: {}, proxies: new WeakMap() };
  const shown = new Proxy(
    Object.assign(function () {}, { prototype: view.prototype }),
    {
      construct: (_, args) => invoke(names.create ?? methodOf(library, 'of'), args, view) as object,
      get: (_, name) => (name === 'prototype' ? view.prototype : staticMember(view, name)),
    },
  );
  views.set(shown, view);
  if (!views.has(library)) views.set(library, view);
  return shown;
}

/** An instance as another facade of its class shows it. */
export function shownAs(shown: object, instance: object): object {
  return proxyOf(instance, views.get(shown)!);
}

function staticMember(view: View, name: string | symbol): unknown {
  if (typeof name === 'symbol') return undefined;
  const { library, names } = view;
  const own = entry(names.statics, name) ?? (name in library ? name : fallbackOf(name));
  if (typeof own === 'function') return (...args: unknown[]) => invoke(own, args, view);
  const value: unknown = Reflect.get(library, own);
  return typeof value === 'function' ? (...args: unknown[]) => invoke(methodOf(library, own), args, view) : value;
}

/** The one loose door reads what the reference's many read. */
function fallbackOf(name: string): string {
  return /^from[A-Z]/.test(name) ? 'from' : name;
}

function entry<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

function proxyOf(target: object, view: View): object {
  const known = view.proxies.get(target);
  if (known) return known;
  const proxy = new Proxy(Object.create(view.prototype) as object, {
    get: (_, name) => member(target, name, view),
  });
  view.proxies.set(target, proxy);
  targets.set(proxy, target);
  return proxy;
}

function member(target: object, name: string | symbol, view: View): unknown {
  if (name === Symbol.iterator && name in target) return () => spread(target, view)[Symbol.iterator]();
  if (typeof name === 'symbol') return undefined;
  const own = entry(view.names.members, name);
  if (typeof own === 'function') {
    if (view.names.properties?.includes(name)) return own(target as never);
    return (...args: unknown[]) => invoke((...given: unknown[]) => own(target as never, ...given), args, view);
  }
  if (SPREAD.has(name) && Symbol.iterator in target) return () => spread(target, view);
  const key = [own, entry(RENAMED, name), name].find((candidate) => candidate !== undefined && candidate in target);
  if (key === undefined) return undefined;
  if (view.names.properties?.includes(key)) return wrap(Reflect.get(target, key), view);
  return (...args: unknown[]) => invoke((...given: unknown[]) => read(target, key, given), args, view);
}

/** A method called, or a property read, on the real instance: its private fields are not the proxy's. */
function read(target: object, key: string, args: readonly unknown[]): unknown {
  const value: unknown = Reflect.get(target, key);
  return typeof value === 'function' ? Reflect.apply(value, target, args) : value;
}

function spread(target: object, view: View): unknown[] {
  return [...(target as Iterable<unknown>)].map((item) => wrap(item, view));
}

function methodOf(library: object, name: string): Fn {
  return (...args) => read(library, name, args);
}

function invoke(call: Fn, args: readonly unknown[], view?: View): unknown {
  if (args.some(isPromised)) return promise(Promise.all(args).then((settled) => invoke(call, settled, view)));
  return wrap(call(...args.map(unwrap)), view);
}

/** What the library gave, as the reference would show it. */
export function wrap(value: unknown, view?: View): unknown {
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null || value instanceof Id || targets.has(value)) return value;
  if (value instanceof Promise) return promise(value.then((settled) => wrap(settled, view)));
  if (Array.isArray(value) || isPlain(value))
    return mapped(value, (item) => (item === undefined ? item : wrap(item, view)));
  if (value instanceof Date || value instanceof Error || ArrayBuffer.isView(value)) return value;
  return proxyOf(value, view?.library === value.constructor ? view : (views.get(value.constructor) ?? facadeOf(value)));
}

function facadeOf(value: object): View {
  return views.get(facade(value.constructor))!;
}

/** What a caller gave, as the library takes it: itself, unless something in it is shown by the facade. */
export function unwrap(value: unknown): unknown {
  if (typeof value === 'function')
    return (...args: unknown[]) => unwrap((value as Fn)(...args.map((item) => wrap(item))));
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Id) return value.toNullableString();
  const target = targets.get(value);
  if (target !== undefined) return target;
  return Array.isArray(value) || isPlain(value) ? mapped(value, unwrap) : value;
}

/** A list or an object with its items changed; itself when none is. */
function mapped(value: object, change: (item: unknown) => unknown): object {
  const entries = Object.entries(value).map(([key, item]) => [key, item, change(item)] as const);
  if (entries.every(([, before, after]) => before === after)) return value;
  return Array.isArray(value)
    ? entries.map(([, , after]) => after)
    : Object.fromEntries(entries.map(([key, , after]) => [key, after]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** What the library gives later where the reference gives it at once: calls on it give promises of the same kind. */
function promise(later: Promise<unknown>): object {
  later.catch(() => {}); // whoever awaits the last of a chain hears of it
  const proxy = new Proxy(Object.create(null) as object, {
    get: (_, name) => {
      if (name === 'then') return later.then.bind(later);
      return typeof name === 'symbol'
        ? undefined
        : (...args: unknown[]) => promise(later.then((settled) => read(settled as object, name, args)));
    },
  });
  promised.add(proxy);
  return proxy;
}

function isPromised(value: unknown): boolean {
  return typeof value === 'object' && value !== null && promised.has(value);
}
