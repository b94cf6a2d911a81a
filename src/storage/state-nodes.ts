import { parseJsonText } from '../internal/json-text.ts';
import { freezeJson, type JsonValue } from '../schema/json.ts';
import type { CheckedNode } from './check-commit.ts';
import type { KnownNode, PlannedNode } from './plan-commit.ts';
import type { Logged } from './session-state.ts';
import type { NodeRecord, StoredNode } from './storage.ts';

/** A node of a session in memory as a plan looks at it: its text is made when it is asked for, which is seldom. */
export class StoredAsKnown implements KnownNode {
  readonly parentId: string | null;
  readonly depth: number;
  readonly section: string;
  readonly type: string;
  readonly #data: JsonValue;

  constructor({ parentId, depth, section, type, data }: StoredNode) {
    this.parentId = parentId;
    this.depth = depth;
    this.section = section;
    this.type = type;
    this.#data = data;
  }

  get text(): string {
    return JSON.stringify(this.#data);
  }
}

/** A node at its place, frozen. Field by field: copies of whole objects take several times as long. */
export function storedNode(planned: Logged<PlannedNode>, seq: number): StoredNode {
  const { id, parentId, section, type, at, depth, bytes } = planned;
  return Object.freeze({ id, parentId, section, type, at, depth, bytes, data: dataOf(planned), seq });
}

/** A draft as it is kept, frozen. */
export function draftOf(logged: Logged<CheckedNode>): NodeRecord {
  const { id, parentId, section, type, at } = logged;
  const above = parentId !== undefined && { parentId };
  return Object.freeze({ id, ...above, section, type, at, data: dataOf(logged) });
}

function dataOf(logged: { readonly text: string } | { readonly data: JsonValue }): JsonValue {
  return freezeJson('data' in logged ? logged.data : (parseJsonText(logged.text) as JsonValue));
}
