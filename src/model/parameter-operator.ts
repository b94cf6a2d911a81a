import type { MessageStore } from './message-store.ts';
import { Metadata, type MetadataInput } from './metadata.ts';

/** The parameters of a store: reads them, and gives new stores in which they are changed. */
export class ParameterOperator {
  readonly #parameters: Metadata;
  readonly #with: (parameters: Metadata) => MessageStore;

  constructor(parameters: Metadata, withParameters: (parameters: Metadata) => MessageStore) {
    this.#parameters = parameters;
    this.#with = withParameters;
  }

  /** All parameters. */
  get(): Metadata {
    return this.#parameters;
  }

  /** The store with one parameter more, or another value for it; null is a value. */
  setParameter(key: string, value: unknown): MessageStore {
    return this.#with(this.#parameters.withKeyValue(key, value));
  }

  /** The store without one parameter. */
  unsetParameter(key: string): MessageStore {
    return this.#with(this.#parameters.withoutKey(key));
  }

  /** The store with these parameters added; they win. */
  mergeParameters(parameters: MetadataInput): MessageStore {
    return this.#with(this.#parameters.withMergedData(parameters));
  }

  /** The store with these parameters instead. */
  withParams(parameters: MetadataInput): MessageStore {
    const next = Metadata.from(parameters, 'parameters');
    return this.#with(next.equals(this.#parameters) ? this.#parameters : next);
  }
}
