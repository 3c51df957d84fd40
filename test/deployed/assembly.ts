import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Operation } from '../../shared/contract/api.ts';
import { ownXpub } from '../support/own-xpub.ts';
import { cdk } from './cdk.ts';
import type { Definition } from './definition.ts';
import { type Removed, type Template, withoutUnsupported } from './unsupported.ts';

const stage = 'deployed';
export const stackName = `identity-workspace-${stage}`;
export const mailSender = 'no-reply@mail.example.com';
/** As in config/<stage>.json. */
const settings = { deletionProtection: false, walletXpub: ownXpub, mailSender };

/** A synthesised app, and the copy of it that can be deployed to the emulator. */
export type Assembly = {
  folder: string;
  template: Template;
  /** The routes of the API, which the copy lacks. */
  definition: Definition;
  removed: Removed[];
};

/**
 * Synthesises the app with the CDK, and removes from a copy the parts that the emulator cannot deploy.
 *
 * @param folder where the assembly and its copy are written
 * @param bundles folder with one bundle for every function
 */
export async function synthesise(
  folder: string,
  bundles: string,
  { without }: { without?: Operation } = {},
): Promise<Assembly> {
  const app = [
    process.execPath,
    join(import.meta.dirname, 'app.ts'),
    '--bundles',
    bundles,
    '--config',
    folder,
  ];
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${stage}.json`), JSON.stringify(settings));
  if (without !== undefined) app.push('--without', without);
  const synthesised = join(folder, 'synthesised');
  await cdk(
    'synth',
    '--quiet',
    '--app',
    app.join(' '),
    '--output',
    synthesised,
    '-c',
    `stage=${stage}`,
  );
  const deployable = join(folder, 'deployable');
  await cp(synthesised, deployable, { recursive: true });
  return { folder: deployable, ...(await takeOut(deployable)) };
}

/** The name under which the template is published is its hash, so it changes with the template. */
async function takeOut(folder: string): Promise<Omit<Assembly, 'folder'>> {
  const file = join(folder, `${stackName}.template.json`);
  const original = JSON.parse(await readFile(file, 'utf8')) as Template;
  const { template, ...others } = withoutUnsupported(original);
  const text = JSON.stringify(template);
  await writeFile(file, text);
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8');
  const [, before] = /\/([0-9a-f]{64})\.json"/.exec(manifest) ?? [];
  if (before === undefined) throw new Error('The manifest names no template.');
  const after = createHash('sha256').update(text).digest('hex');
  for (const name of ['manifest.json', `${stackName}.assets.json`]) {
    const path = join(folder, name);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(before, after));
  }
  return { template, ...others };
}
