import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { JsonValue } from 'message-store';
import type { SpawnedProgram } from 'message-store/testing';

/** Runs a script in a process of its own that prints, as JSON, what a program of the suite came to. */
export function spawnScript(script: URL, args: readonly string[]): SpawnedProgram {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const result = Promise.all([text(child.stdout), text(child.stderr), ended]).then(([output, errors, code]) => {
    if (code !== 0) throw new Error(`the process ended with ${code}: ${errors}`);
    return JSON.parse(output) as JsonValue;
  });
  return { result, kill: () => void child.kill('SIGKILL') };
}
