import { setImmediate as tick } from 'node:timers/promises';
import { collect } from './compare.ts';

/** Bytes of heap that live as long as what `build` gives; its code has run once before. */
export async function retained(build: () => unknown): Promise<number> {
  warmUp(build);
  const before = await heapUsed();
  const held = [build()];
  const after = await heapUsed();
  held.length = 0;
  return after - before;
}

/** In a function of its own, so that no stack slot keeps the result. */
function warmUp(build: () => unknown): void {
  build();
}

async function heapUsed(): Promise<number> {
  for (let pass = 0; pass < 3; pass++) {
    await tick();
    collect('major');
  }
  return process.memoryUsage().heapUsed;
}
