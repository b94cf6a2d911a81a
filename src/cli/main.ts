#!/usr/bin/env node
import { tell } from './failure.ts';

const INSTALL = 'message-store: the command line needs three packages more: npm install cli-progress commander yaml';

// A reader that has seen enough (`… | head`) ends the program, quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});

try {
  const { buildProgram } = await import('./program.ts');
  await buildProgram().parseAsync();
} catch (error) {
  if (isUsage(error)) process.exitCode = error.exitCode === 0 ? 0 : 2;
  // Standard input may still be open: nobody waits for its end.
  else process.stderr.write(`${isMissingPackage(error) ? INSTALL : tell(error)}\n`, () => process.exit(1));
}

/** Whether commander threw it: what is wrong it has told already, and after help and version it throws too. */
function isUsage(error: unknown): error is { readonly exitCode: number } {
  return isCoded(error) && error.code.startsWith('commander.');
}

function isMissingPackage(error: unknown): boolean {
  return (
    isCoded(error) && error.code === 'ERR_MODULE_NOT_FOUND' && /'(?:cli-progress|commander|yaml)'/.test(error.message)
  );
}

function isCoded(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
