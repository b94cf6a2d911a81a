import type { Messages } from '../model/messages.ts';
import { Section } from '../model/section.ts';
import { Sections } from '../model/sections.ts';
import type { SectionPolicy } from '../schema/section.ts';
import type { AssemblyReport } from './assembly-report.ts';
import { policyOf } from './policy.ts';
import { type CacheMark, type CacheMarkStyle, type Marked, placeMarks } from './cache-marks.ts';

/** A prompt: the messages that go out, where the provider's prompt cache may end, and how it came about. Every format encodes it. */
export class Assembly {
  /** What goes out, section by section; those of which nothing is left are not there. */
  readonly sections: Sections;
  /** The same in one list. */
  readonly messages: Messages;
  /** Where the provider's prompt cache may end, in order. */
  readonly marks: readonly CacheMark[];
  readonly report: AssemblyReport;

  private constructor(report: AssemblyReport) {
    const filled = report.sections.filter(({ kept }) => kept.size > 0);
    this.report = report;
    this.sections = Sections.distinct(
      filled.map(({ name, kept, policy }) => Section.of(name, kept).withPolicy(policyToKeep(policy))),
    );
    this.messages = this.sections.toMessages();
    this.marks = Object.freeze(cacheMarks(this.sections));
    Object.freeze(this);
  }

  /** @internal */
  static of(report: AssemblyReport): Assembly {
    return new Assembly(report);
  }

  /** The messages that go out. */
  toMessages(): Messages {
    return this.messages;
  }

  /** @internal The messages with their cache marks as a wire spells them, and the marks that it does not take. */
  marked(style: CacheMarkStyle): Marked {
    return placeMarks(this.messages, this.marks, style);
  }
}

function policyToKeep(policy: SectionPolicy): SectionPolicy | undefined {
  return Object.keys(policy).length === 0 ? undefined : policy;
}

/**
 * The cache marks that the policies of sections ask for: one behind the last message of each that is filled.
 *
 * @example
 * const system = Section.of('system', { role: 'system', content: 'Be brief.' }).withPolicy({ cache: true });
 * cacheMarks(Sections.of(system, Section.of('chat', 'Hello!'))) // => [{ at: 0, section: 'system' }]
 */
export function cacheMarks(sections: Sections): CacheMark[] {
  const marks: CacheMark[] = [];
  let end = 0;
  for (const section of sections) {
    const size = section.messages.withoutEmptyMessages().size;
    const { cache = false } = policyOf(section);
    end += size;
    if (size > 0 && cache !== false)
      marks.push({ at: end - 1, section: section.name, ...(cache !== true && { lifetime: cache }) });
  }
  return marks;
}
