/** Disks in image files: ext4, mounted through a loop device. Linux only, for root. */
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BYTES = 64 * 2 ** 20;
const COPIES = 20;

const mounted = new Set<string>();
const folder = mkdtempSync(join(tmpdir(), 'power-cut-'));

/** However the program ends, nothing stays mounted and no file is left. */
process.on('exit', () => {
  for (const place of mounted) spawnSync('umount', ['--lazy', place]);
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** An empty disk. */
export function newImage(name: string): string {
  const image = join(folder, name);
  const fd = openSync(image, 'w');
  ftruncateSync(fd, BYTES);
  closeSync(fd);
  execFileSync('mkfs.ext4', ['-q', '-F', image]);
  return image;
}

/** Lends where a disk is mounted. */
export async function withMounted<T>(image: string, use: (place: string) => Promise<T>): Promise<T> {
  const place = `${image}-mounted`;
  mkdirSync(place);
  execFileSync('mount', ['-o', 'loop', image, place]);
  mounted.add(place);
  try {
    return await use(place);
  } finally {
    execFileSync('umount', [place]);
    mounted.delete(place);
  }
}

/** What a disk had been given at one moment: copied until nothing came in between, since the system writes on by itself. */
export function copyOf(image: string): string {
  const copy = `${image}-copy`;
  for (let attempt = 1; attempt <= COPIES; attempt++) {
    copyFileSync(image, copy);
    if (spawnSync('cmp', ['-s', image, copy]).status === 0) return copy;
  }
  throw new Error(`${image}: it never stayed the same while it was copied`);
}

export function removeImages(...images: readonly string[]): void {
  for (const image of images) {
    rmSync(image);
    rmSync(`${image}-mounted`, { recursive: true });
  }
}
