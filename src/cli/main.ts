#!/usr/bin/env node
import { tell } from './failure.ts';

const INSTALL = 'the command line needs the packages commander and yaml: run npm install commander yaml';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  const { buildProgram } = await import('./program.ts');
  await buildProgram().parseAsync();
} catch (error) {
  process.exitCode = exitCode(error);
  if (!isUsage(error)) process.stderr.write(`${isMissingPackage(error) ? INSTALL : tell(error)}\n`);
}

/** 0 after help was shown, 2 for wrong usage (which commander has told already), 1 for everything else. */
function exitCode(error: unknown): number {
  if (!isUsage(error)) return 1;
  return error.exitCode === 0 ? 0 : 2;
}

function isUsage(error: unknown): error is { readonly exitCode: number } {
  return isCoded(error) && error.code.startsWith('commander.');
}

function isMissingPackage(error: unknown): boolean {
  return isCoded(error) && error.code === 'ERR_MODULE_NOT_FOUND';
}

function isCoded(error: unknown): error is { readonly code: string } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}
