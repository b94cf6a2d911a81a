import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { assemble, type AssembleOptions, TARGETS } from './assemble.ts';
import { convert, type ConvertOptions } from './convert.ts';
import { FORMAT_NAMES } from './formats.ts';
import type { CacheLifetime } from '../schema/section.ts';
import { COUNTERS } from './prompts.ts';
import { inspect, type InspectOptions } from './inspect.ts';
import { STDIN } from './input/read-lines.ts';
import { repair, type RepairOptions } from './repair.ts';
import { addSessions } from './sessions/commands.ts';
import { validate, type ValidateOptions } from './validate.ts';

const FORMS =
  'A file is a prompt file (YAML or JSON), a store document, or JSON or JSON Lines of a provider, each also gzipped; "-" is standard input.';

const EXAMPLES = `
Examples:
  message-store assemble support.prompt.yaml --to openai-chat --merged-per-role
  message-store assemble base.yaml --merge holiday.json --sections system,prompt --param lang=pl
  message-store convert request.json --to anthropic
  message-store convert chats.jsonl.gz --from openai-chat --to gemini --out contents.jsonl
  message-store inspect chats.jsonl.gz --json
  message-store validate chats.jsonl.gz
  message-store repair chats.jsonl --complete --out repaired.jsonl
  message-store sessions ls ./chats`;

const ASSEMBLE_HELP = `
A prompt file:
  sections:
    system: Be brief.               # text: a system message here, a user message in other sections
    examples:
      - user: Capital of Sweden?    # a role and its text
      - assistant: Stockholm.
    prompt:
      - { role: user, content: Capital of Norway? }   # a full message
  parameters:
    lang: en

Templates: {{name}} in a system or developer message is filled in with the parameter of that name, or from --values.
Other texts are templates only in sections whose policy says "trust: true".

With --budget, what is left out are whole exchanges, the oldest first; sections may have policies for that:
  policies:
    examples: { pin: true }         # never left out
    history: { budget: 50% }        # tokens, or a share of what there is

The history of a provider becomes the sections "system" (the instructions at its start) and "messages".
Of JSON Lines with a conversation a line, each is merged with the other files and printed on a line.
What cannot be carried over is told on standard error.`;

const CONVERT_HELP = `
Only the conversation is converted, from a request, a response or a list of messages. The model, tools and other settings
of a request stay behind; with --to store they become parameters.
What is lost or repaired is told on standard error. Of JSON Lines, each conversation is printed on a line; one that
cannot be converted is told and left out, and the exit code is 1.

Examples:
  message-store convert request.json --to anthropic
  message-store convert chats.jsonl.gz --from openai-chat --to gemini --out contents.jsonl --report losses.jsonl
  message-store convert response.json --to store
  cat chats.jsonl | message-store convert - --to ollama --strict`;

const VALIDATE_HELP = `
Each line names the file, the section and the message, the code of what is wrong, and what that means:
  chats.jsonl:7: sections.messages.messages[3]: orphan_tool_answer: there is no call "c1" that this could answer

A line of JSON Lines that cannot be read is told on standard error, and the others are checked.
The exit code is 0 where nothing is wrong, and 1 where something is.`;

const REPAIR_HELP = `
Answers go right behind their calls, in call order. A call that was never answered gets a made-up answer, which is
marked as such; what answers no call is dropped. What was changed is told on standard error, a line for each change.
Of JSON Lines with a conversation a line, each is printed on a line.`;

/** The command line: every command with its options. Errors of usage are thrown, not exited on. */
export function buildProgram(): Command {
  const program = new Command('message-store')
    .description(
      'Assemble prompts from sections; look into conversations, convert, check and repair them; look after stored sessions.',
    )
    .version(version())
    .addHelpText('after', EXAMPLES)
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, ' ')}\n`) })
    .exitOverride();
  addAssemble(program);
  addConvert(program);
  addInspect(program);
  addValidate(program);
  addRepair(program);
  addSessions(program);
  return program;
}

function addAssemble(program: Command): void {
  const command = program
    .command('assemble')
    .summary('print the messages of a prompt')
    .description(`Merge files into one store, choose sections and print the messages.\n\n${FORMS}`)
    .argument('<file...>', 'what to read; several files are merged in order')
    .option('--merge <file>', 'merge another file; may be repeated', append)
    .option('--sections <names>', 'print only these sections, in this order, separated by commas', appendNames)
    .option('--param <key=value>', 'set a parameter; the value is JSON, or else text; may be repeated', appendParam)
    .addOption(new Option('--to <target>', 'what to print').choices(TARGETS).default('flat'))
    .option('--merged-per-role', 'fold neighbours of one role into one message')
    .addOption(openTurnOption())
    .option('--out <file>', 'write to a file instead of standard output')
    .addHelpText('after', ASSEMBLE_HELP)
    .action(async (files: string[], options: AssembleOptions, given: Command) => {
      refuseTwoStdins([...files, ...(options.merge ?? []), options.values ?? ''], given);
      await assemble(files, options);
    });
  addPromptOptions(command);
}

/** What makes a prompt of sections. */
function addPromptOptions(command: Command): void {
  command
    .option('--values <file>', 'fill templates with these values, YAML or JSON; a missing one is an error')
    .option('--budget <tokens>', 'leave out the oldest exchanges until all fits', tokens)
    .option('--reserve <tokens>', 'keep so many tokens of the budget for the output', tokens)
    .addOption(new Option('--counter <name>', 'what counts tokens').choices(COUNTERS).default('estimate'))
    .option(
      '--cache <names>',
      'end the prompt cache behind these sections, for a time: system=1h,examples',
      appendCache,
    )
    .option('--explain', 'tell what became of each section, as a table on standard error');
}

function addConvert(program: Command): void {
  const forms = [...FORMAT_NAMES, 'store'];
  program
    .command('convert')
    .summary('print conversations in the form of another provider')
    .description(`Read conversations in the form of one provider and print them in that of another.\n\n${FORMS}`)
    .argument('<file>', 'what to convert')
    .addOption(new Option('--from <form>', 'what the file holds').choices(['auto', ...forms]).default('auto'))
    .addOption(new Option('--to <form>', 'what to print').choices(forms).makeOptionMandatory())
    .option('--strict', 'losses, and histories that a provider would refuse, are errors')
    .addOption(openTurnOption())
    .option('--report <file>', 'write what was lost or repaired to a file, as JSON')
    .option('--out <file>', 'write to a file instead of standard output')
    .addHelpText('after', CONVERT_HELP)
    .action(async (file: string, options: ConvertOptions, command: Command) => {
      const { report, out = STDIN } = options;
      if (report === out || report === file) command.error('error: --report needs a file of its own');
      if ((await convert(file, options)) > 0) process.exitCode = 1;
    });
}

function openTurnOption(): Option {
  return new Option(
    '--open-turn <what>',
    'for calls at the end that wait for answers: fail, or answer them as cancelled',
  )
    .choices(['throw', 'cancel'])
    .default('throw');
}

function addInspect(program: Command): void {
  program
    .command('inspect')
    .summary('show what a file holds')
    .description(`Show sections, roles, parts, tool calls, sizes and parameters.\n\n${FORMS}`)
    .argument('<file>', 'what to read; several conversations are summed up')
    .option('--json', 'print data instead of a table')
    .action(async (file: string, options: InspectOptions) => {
      if ((await inspect(file, options)) > 0) process.exitCode = 1;
    });
}

function addValidate(program: Command): void {
  program
    .command('validate')
    .summary('tell which tool calls and answers providers would refuse')
    .description(`Check that every tool call has its answer right behind it, and every answer its call.\n\n${FORMS}`)
    .argument('<file...>', 'what to check, one after another')
    .option('--json', 'print data instead of lines')
    .option('--complete', 'the calls of a last turn must be answered too')
    .addHelpText('after', VALIDATE_HELP)
    .action(async (files: string[], options: ValidateOptions, command: Command) => {
      refuseTwoStdins(files, command);
      if ((await validate(files, options)) > 0) process.exitCode = 1;
    });
}

function addRepair(program: Command): void {
  program
    .command('repair')
    .summary('print a conversation with its tool calls and answers in order')
    .description(`Put tool calls and their answers in order, and print the store as JSON.\n\n${FORMS}`)
    .argument('<file>', 'what to repair')
    .option('--complete', 'settle the calls of a last turn too')
    .option('--out <file>', 'write to a file instead of standard output')
    .addHelpText('after', REPAIR_HELP)
    .action((file: string, options: RepairOptions) => repair(file, options));
}

function refuseTwoStdins(files: readonly string[], command: Command): void {
  if (files.indexOf(STDIN) !== files.lastIndexOf(STDIN)) command.error('error: standard input can be read only once');
}

function append(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function appendNames(value: string, before: readonly string[] = []): string[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('Expected names of sections, separated by commas.');
  return [...before, ...names];
}

function appendParam(value: string, before: readonly [string, unknown][] = []): [string, unknown][] {
  const at = value.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected key=value.');
  return [...before, [value.slice(0, at), jsonOrText(value.slice(at + 1))]];
}

type CachedSections = NonNullable<AssembleOptions['cache']>;

function appendCache(value: string, before: CachedSections = []): CachedSections {
  const added = appendNames(value).map((name): CachedSections[number] => {
    const [, section = name, lifetime] = /^(.+)=(\w*)$/.exec(name) ?? [];
    if (lifetime !== undefined && !/^(5m|30m|1h|12h)$/.test(lifetime))
      throw new InvalidArgumentError(`Expected 5m, 30m, 1h or 12h behind ${section}=.`);
    return [section, (lifetime as CacheLifetime | undefined) ?? true];
  });
  return [...before, ...added];
}

function tokens(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('Expected a number of tokens.');
  return Number(value);
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
