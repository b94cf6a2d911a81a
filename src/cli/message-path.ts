import { joinPath } from '../internal/path.ts';

/** Where a message of a store stands: `sections.chat.messages[3]`. */
export function messagePath(section: string, at: number): string {
  return joinPath(joinPath(joinPath('sections', section), 'messages'), at);
}
