import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('../', import.meta.url));

/**
 * A program bundled into one minified module for production, with all that it imports; resolved from `folder`, by
 * default this one.
 */
export async function bundle(program: string, folder: string = here): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: folder, loader: 'js' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    write: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return (outputFiles[0] as { contents: Uint8Array }).contents;
}

/** What a browser would load, in KB. */
export async function gzippedKB(program: string, folder?: string): Promise<number> {
  return gzipSync(await bundle(program, folder), { level: 9 }).length / 1024;
}
