import { readFile } from 'node:fs/promises';

/**
 * A file of the hosted pages. A bundled function has them beside it; one that runs from source builds them.
 *
 * @param base `import.meta.url` of the function
 * @returns undefined if there is no such file
 */
export async function readPageFile(base: string, file: string): Promise<string | undefined> {
  if (base.endsWith('.ts')) return (await builtPages()).files.get(file);
  try {
    return await readFile(new URL(file, base), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

type Built = { files: ReadonlyMap<string, string> };

/** The address is not a constant, so that no bundle contains the bundler. */
async function builtPages(): Promise<Built> {
  const builder = new URL('../../lib/hosted-pages.ts', import.meta.url).href;
  const { hostedPages } = (await import(builder)) as { hostedPages: () => Promise<Built> };
  return hostedPages();
}
