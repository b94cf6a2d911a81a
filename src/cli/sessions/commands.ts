import { type Command, InvalidArgumentError, Option } from 'commander';
import { STDIN } from '../input/read-lines.ts';
import { fork, type ForkOptions, label } from './change.ts';
import { exportSessions, type ExportOptions } from './export.ts';
import { HELP, SESSIONS_HELP } from './help.ts';
import { importSessions, type ImportOptions } from './import.ts';
import { list, type ListOptions } from './list.ts';
import { log, type LogOptions } from './log.ts';
import { repairSessions } from './repair.ts';
import { show, type ShowOptions } from './show.ts';
import { tree, type TreeOptions } from './tree.ts';
import { verify } from './verify.ts';

/** Adds `sessions` and its commands. */
export function addSessions(program: Command): void {
  const sessions = program
    .command('sessions')
    .summary('list, show, copy, export, import and check stored sessions')
    .description('Look into a store of sessions, copy sessions, export and import them, check and repair them.')
    .addHelpText('after', SESSIONS_HELP);
  addReading(sessions);
  addLog(sessions);
  addFork(sessions);
  addLabel(sessions);
  addExport(sessions);
  addImport(sessions);
  addChecking(sessions);
}

const STORE = ['<store>', 'a folder, a SQLite file, or the URL of a database'] as const;
const SESSION = ['<session>', 'the id of a session'] as const;

function addReading(sessions: Command): void {
  add(sessions, 'ls', 'list the sessions, newest first')
    .option('--json', 'print a line of JSON for each instead of a table')
    .option('--limit <n>', 'print at most so many', count)
    .option('--prefix <text>', 'only ids that begin with this text')
    .action((store: string, options: ListOptions) => list(store, options));
  add(sessions, 'show', 'show what is known of a session')
    .argument(...SESSION)
    .option('--json', 'print data instead of tables')
    .action((store: string, id: string, options: ShowOptions) => show(store, id, options));
  add(sessions, 'tree', 'draw the branches of a session')
    .argument(...SESSION)
    .option('--full', 'draw long runs without branching too')
    .action((store: string, id: string, options: TreeOptions) => tree(store, id, options));
}

function addLog(sessions: Command): void {
  add(sessions, 'log', 'print the messages of a branch')
    .argument(...SESSION)
    .option('--to <message>', 'print the branch up to this message or label')
    .option('--limit <n>', 'print only so many of the newest', count)
    .option('--section <name>', 'print only what stands in this section')
    .option('--json', 'print a line of JSON for each')
    .addOption(new Option('--all', 'print all branches, in the order in which they were stored').conflicts('to'))
    .action(async (store: string, id: string, options: LogOptions) => {
      if ((await log(store, id, options)) > 0) process.exitCode = 1;
    });
}

function addFork(sessions: Command): void {
  add(sessions, 'fork', 'copy a session, or a branch of it, and print the id of the copy')
    .argument(...SESSION)
    .option('--at <message>', 'copy the branch up to this message or label; default: the active one')
    .option('--whole', 'copy all branches')
    .option('--id <new>', 'the id of the copy; default: a new one')
    .action((store: string, id: string, options: ForkOptions) => fork(store, id, options));
}

function addLabel(sessions: Command): void {
  add(sessions, 'label', 'give a message a label, or take it away')
    .argument(...SESSION)
    .argument('<message>', 'a message or its label')
    .argument('[label]', 'the label; it takes the place of the one that the message has')
    .option('--remove', 'take the label of the message away')
    .action(
      async (
        store: string,
        id: string,
        message: string,
        name: string | undefined,
        { remove = false }: { readonly remove?: boolean },
        command: Command,
      ) => {
        if (remove === (name !== undefined)) command.error('error: expected either a label or --remove');
        await label(store, id, message, name);
      },
    );
}

function addExport(sessions: Command): void {
  add(sessions, 'export', 'print sessions as JSON Lines')
    .argument('[session...]', 'the ids of sessions; default: all')
    .addOption(
      new Option('--to <form>', 'print all there is, for import, or store documents')
        .choices(['session', 'store'])
        .default('session'),
    )
    .option('--path-only', 'with --to store: only the active branch')
    .option('--out <file>', 'write to a file instead of standard output')
    .action(async (store: string, ids: string[], options: ExportOptions, command: Command) => {
      if (options.pathOnly === true && options.to !== 'store') command.error('error: --path-only needs --to store');
      await exportSessions(store, ids, options);
    });
}

function addImport(sessions: Command): void {
  add(sessions, 'import', 'write sessions and conversations into a store')
    .argument('<file...>', 'what to read, one after another; "-" is standard input')
    .option('--id <id>', 'the id of the session, where there is only one')
    .option('--skip-existing', 'leave sessions alone whose ids are in use')
    .action(async (store: string, files: string[], options: ImportOptions, command: Command) => {
      if (options.id !== undefined && files.length > 1) command.error('error: --id is for one file');
      if (files.indexOf(STDIN) !== files.lastIndexOf(STDIN))
        command.error('error: standard input can be read only once');
      if ((await importSessions(store, files, options)) > 0) process.exitCode = 1;
    });
}

function addChecking(sessions: Command): void {
  add(sessions, 'verify', 'tell what is wrong in stored sessions')
    .argument('[session...]', 'the ids of sessions; default: all')
    .action(async (store: string, ids: string[]) => {
      if ((await verify(store, ids)) > 0) process.exitCode = 1;
    });
  add(sessions, 'repair', 'put damaged sessions in order')
    .argument('<session...>', 'the ids of sessions')
    .action((store: string, ids: string[]) => repairSessions(store, ids));
}

function add(sessions: Command, name: keyof typeof HELP, description: string): Command {
  return sessions
    .command(name)
    .description(`${description.charAt(0).toUpperCase()}${description.slice(1)}.`)
    .summary(description)
    .argument(...STORE)
    .addHelpText('after', HELP[name]);
}

function count(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('Expected a whole number, 1 or more.');
  return number;
}
