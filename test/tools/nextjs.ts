/**
 * Builds the app whose files docs/guide/nextjs.md prints, for test/browser/nextjs.test.ts:
 *
 *     node test/tools/nextjs.ts FOLDER
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { blocksOf } from '../support/code-blocks.ts';

const root = join(import.meta.dirname, '../..');
const example = join(root, 'examples/nextjs');
const [, , name] = process.argv;
if (name === undefined) throw new Error('Name a folder.');
const folder = resolve(name);
const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  });

for (const { language, title, text } of blocksOf(
  readFileSync(join(root, 'docs/guide/nextjs.md'), 'utf8'),
)) {
  if (language !== 'tsx' || title === undefined) continue;
  mkdirSync(dirname(join(folder, title)), { recursive: true });
  writeFileSync(join(folder, title), text);
}
cpSync(join(example, 'tsconfig.json'), join(folder, 'tsconfig.json'));
run(process.execPath, ['bin/client-package.ts'], root);
cpSync(join(root, 'dist/client'), join(folder, 'client'), { recursive: true });
const manifest = readFileSync(join(example, 'package.json'), 'utf8');
writeFileSync(
  join(folder, 'package.json'),
  manifest.replace('file:../../dist/client', 'file:client'),
);
// A copy, as from a registry: a link would lead out of the folder.
run('npm', ['install', '--install-links', '--no-audit', '--no-fund'], folder);
run('npm', ['run', 'build'], folder);
