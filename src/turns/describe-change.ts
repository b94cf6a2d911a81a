import type { Change } from './repair.ts';

/**
 * What a repair changed, in words.
 *
 * @example
 * describeChange({ change: 'synthesised', at: 0, id: 'c1' }) // => 'the call "c1" gets a made-up answer'
 */
export function describeChange(change: Change): string {
  switch (change.change) {
    case 'joined':
      return 'asks together with the message before it, in one';
    case 'synthesised':
      return `the call ${quoted(change.id)} gets a made-up answer`;
    case 'dropped':
      return change.why === 'orphan'
        ? `there is no call ${quoted(change.id)} that this could answer`
        : `the call ${quoted(change.id)} is answered already`;
    case 'hoisted':
    case 'reordered':
      return `the answer to ${quoted(change.id)} goes ${change.change === 'hoisted' ? 'right behind its call' : 'into the order of the calls'}`;
    case 'renamed':
      return `the id ${quoted(change.from)} becomes ${quoted(change.to)}`;
    case 'named':
      return `the call ${quoted(change.id)} has no name and is called ${quoted(change.to)}`;
    case 'recast':
      return `the ${change.from} message answers ${quoted(change.id)} and becomes a tool message`;
    case 'stripped':
      return change.what === 'tool_calls'
        ? 'the tool calls are left out: only an assistant may carry them'
        : 'the tool result is left out: only a tool message may carry one';
  }
}

function quoted(id: string): string {
  return JSON.stringify(id);
}
