/** A program of the suite over a memory of its own: `node memory-program.ts <program> <session> …`. */
import { memoryStorage } from '../../src/index.ts';
import { runStorageProgram } from '../../src/testing/index.ts';

const [program = '', ...args] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await runStorageProgram(program, memoryStorage(), args)));
