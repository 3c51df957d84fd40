import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Inputs and result of one bundling. */
export type Bundled<Result> = {
  /** Every input file, by its path from the project root. */
  inputs: readonly string[];
  result: Result;
};

const cache = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'identity-workspace-service/bundles',
);

/** How many recent bundles of one function are kept. */
const maxKept = 3;

/**
 * Bundles into a folder, or copies an earlier bundle of identical inputs: bundling takes a tenth of a second, and a
 * change affects few of about eighty bundles.
 *
 * @param root folder to which the input paths are relative
 * @param name name of the bundle
 * @param settings everything else that determines the result, as text
 */
export async function bundledOnce<Result>(
  { root, name, settings }: { root: string; name: string; settings: string },
  folder: string,
  bundle: (folder: string) => Promise<Bundled<Result>>,
): Promise<Result> {
  const shelf = join(cache, name);
  for (const key of await keptOn(shelf)) {
    const cached = await readJson<Bundled<Result>>(join(shelf, key, 'bundled.json'));
    if (!cached || (await keyOf(root, settings, cached.inputs)) !== key) continue;
    try {
      await cp(join(shelf, key, 'files'), folder, { recursive: true });
      return cached.result;
    } catch {
      // Another process has removed it meanwhile, as one of the oldest.
      await remove(folder);
    }
  }
  const bundled = await bundle(folder);
  await keep(shelf, await keyOf(root, settings, bundled.inputs), folder, bundled);
  return bundled.result;
}

/** Stores a bundle atomically under its name, even if another process does the same. */
async function keep(
  shelf: string,
  key: string,
  folder: string,
  bundled: Bundled<unknown>,
): Promise<void> {
  const scratch = join(shelf, `.${randomUUID()}`);
  await mkdir(scratch, { recursive: true });
  await cp(folder, join(scratch, 'files'), { recursive: true });
  await writeFile(join(scratch, 'bundled.json'), JSON.stringify(bundled));
  await rename(scratch, join(shelf, key)).catch(() => remove(scratch));
  for (const old of (await keptOn(shelf)).slice(maxKept)) await remove(join(shelf, old));
}

const remove = (folder: string) => rm(folder, { recursive: true, force: true });

/** The keys of the stored bundles, newest first. */
async function keptOn(shelf: string): Promise<string[]> {
  const names = (await readdir(shelf).catch(() => [])).filter((name) => !name.startsWith('.'));
  const kept = await Promise.all(
    names.map(async (name) => ({ name, made: (await statOf(join(shelf, name)))?.mtimeMs ?? 0 })),
  );
  return kept.sort((a, b) => b.made - a.made).map(({ name }) => name);
}

/** Another process may have removed it. */
const statOf = (path: string) => stat(path).catch(() => undefined);

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/** The hash of the settings and of the inputs' names and bytes; a file that is gone counts as empty. */
async function keyOf(root: string, settings: string, inputs: readonly string[]): Promise<string> {
  const hashed = await Promise.all(inputs.map((path) => hashOf(resolve(root, path))));
  return sha256([settings, ...inputs.map((path, i) => `${path}\n${hashed[i]}`)].join('\n'));
}

/** Bundles share most inputs, so each file is hashed once per process. */
const hashes = new Map<string, Promise<string>>();
function hashOf(path: string): Promise<string> {
  const hash = hashes.get(path) ?? readFile(path).then(sha256, () => '');
  hashes.set(path, hash);
  return hash;
}

async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
