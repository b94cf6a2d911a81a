import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const { REAL_DATA } = process.env;

/** Whether there are none: their tests are then skipped by name. */
export const lacksRealData = REAL_DATA === undefined;

/** A message as it stands in a recorded request. */
export interface Wire {
  readonly role: string;
  readonly name?: string;
}

/** 200 conversations of a tool-using agent, recorded as OpenAI Chat messages, from the folder that `REAL_DATA` names. */
export const realConversations: readonly (readonly Wire[])[] =
  REAL_DATA === undefined
    ? []
    : gunzipSync(readFileSync(join(REAL_DATA, 'tau-bench-airline-gpt4o.jsonl.gz')))
        .toString()
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { readonly messages: readonly Wire[] }).messages);
