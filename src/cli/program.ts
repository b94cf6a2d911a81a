import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { assemble, type AssembleOptions, TARGETS } from './assemble.ts';
import { inspect, type InspectOptions } from './inspect.ts';

const FORMS = `FILE is a prompt file (YAML or JSON), a store document, or OpenAI chat JSON or JSONL, each also
gzipped; "-" is standard input.`;

const EXAMPLES = `
Examples:
  message-store assemble support.prompt.yaml --to openai-chat --merged-per-role
  message-store assemble base.yaml --merge holiday.json --sections system,prompt --param lang=pl
  message-store inspect chats.jsonl.gz --json`;

/** The command line: every command with its options. Errors of usage are thrown, not exited on. */
export function buildProgram(): Command {
  const program = new Command('message-store')
    .description('Assemble prompts from sections, and look into conversations.')
    .version(version())
    .addHelpText('after', EXAMPLES)
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
    .option('--merge <file>', 'merge another file; may be repeated', append, [])
    .option('--sections <names>', 'print only these sections, in this order, separated by commas', splitNames)
    .option('--param <key=value>', 'set a parameter; the value is JSON, or else text; may be repeated', appendParam, [])
    .addOption(new Option('--to <target>', 'what to print').choices(TARGETS).default('flat'))
    .option('--merged-per-role', 'fold neighbours of one role')
    .option('--out <file>', 'write to a file instead of standard output')
    .action((files: string[], options: AssembleOptions) => assemble(files, options));
}

function addInspect(program: Command): void {
  program
    .command('inspect')
    .summary('show what a file holds')
    .description(`Show sections, roles, parts, tool calls and sizes.\n\n${FORMS}`)
    .argument('<file>', 'what to read')
    .option('--json', 'print data instead of a table')
    .action((file: string, options: InspectOptions) => inspect(file, options));
}

function append(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function splitNames(value: string): string[] {
  return value.split(',').map((name) => name.trim());
}

function appendParam(value: string, before: readonly [string, unknown][]): [string, unknown][] {
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
