import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { assemble, type AssembleOptions, TARGETS } from './assemble.ts';
import { inspect, type InspectOptions } from './inspect.ts';
import { STDIN } from './input/read-lines.ts';

const FORMS =
  'A file is a prompt file (YAML or JSON), a store document, or OpenAI chat JSON or JSON Lines, each also gzipped; "-" is standard input.';

const EXAMPLES = `
Examples:
  message-store assemble support.prompt.yaml --to openai-chat --merged-per-role
  message-store assemble base.yaml --merge holiday.json --sections system,prompt --param lang=pl
  message-store inspect chats.jsonl.gz --json`;

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

OpenAI chat history becomes the sections "system" (the instructions at its start) and "messages".
Of JSON Lines with a conversation a line, each is merged with the other files and printed on a line.
What cannot be carried over is told on standard error.`;

/** The command line: every command with its options. Errors of usage are thrown, not exited on. */
export function buildProgram(): Command {
  const program = new Command('message-store')
    .description('Assemble prompts from sections, and look into conversations.')
    .version(version())
    .addHelpText('after', EXAMPLES)
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, ' ')}\n`) })
    .exitOverride();
  addAssemble(program);
  addInspect(program);
  return program;
}

function addAssemble(program: Command): void {
  program
    .command('assemble')
    .summary('print the messages of a prompt')
    .description(`Merge files into one store, choose sections and print the messages.\n\n${FORMS}`)
    .argument('<file...>', 'what to read; several files are merged in order')
    .option('--merge <file>', 'merge another file; may be repeated', append)
    .option('--sections <names>', 'print only these sections, in this order, separated by commas', appendNames)
    .option('--param <key=value>', 'set a parameter; the value is JSON, or else text; may be repeated', appendParam)
    .addOption(new Option('--to <target>', 'what to print').choices(TARGETS).default('flat'))
    .option('--merged-per-role', 'fold neighbours of one role into one message')
    .option('--out <file>', 'write to a file instead of standard output')
    .addHelpText('after', ASSEMBLE_HELP)
    .action(async (files: string[], options: AssembleOptions, command: Command) => {
      const all = [...files, ...(options.merge ?? [])];
      if (all.indexOf(STDIN) !== all.lastIndexOf(STDIN)) command.error('error: standard input can be read only once');
      await assemble(files, options);
    });
}

function addInspect(program: Command): void {
  program
    .command('inspect')
    .summary('show what a file holds')
    .description(`Show sections, roles, parts, tool calls, sizes and parameters.\n\n${FORMS}`)
    .argument('<file>', 'what to read; several conversations are summed up')
    .option('--json', 'print data instead of a table')
    .action((file: string, options: InspectOptions) => inspect(file, options));
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
