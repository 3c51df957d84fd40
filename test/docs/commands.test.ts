/** @module-tag alone */
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { actions, readCommand } from '../../bin/project/request.ts';
import { readOptions } from '../../local/options.ts';
import manifest from '../../package.json' with { type: 'json' };
import deployedResources from '../lib/deployed-resources.json' with { type: 'json' };
import { blocksOf } from '../support/code-blocks.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['README.md', 'docs/{guide,operate}/*.md'], { cwd: root });
const blocks = pages.flatMap((page) =>
  blocksOf(readFileSync(join(root, page), 'utf8'))
    .filter(({ language }) => language === 'sh')
    .map(({ text, line }) => ({ text, at: `${page}:${line}` })),
);

/** Instead of running a program, bash records the call: the number of words, and each word, ended by NUL. */
const recorded = ['npm', 'npx', 'node', 'aws', 'git', 'curl']
  .map((name) => `${name}() { printf '%s\\0' $(($# + 1)) ${name} "$@" >&3; succeeds "$@"; }`)
  .join('\n');

/**
 * The commands of a block with the arguments that their programs would get.
 *
 * @param succeeds body of a function of bash that decides whether a call does
 */
async function commandsOf(text: string, succeeds = ':'): Promise<string[][]> {
  const cwd = mkdtempSync(join(tmpdir(), 'commands-'));
  try {
    mkdirSync(join(cwd, 'config'));
    const helpers = `succeeds() { ${succeeds}; }\nsleep() { :; }\nfield() { :; }`;
    const script = `exec 3>calls\n${recorded}\n${helpers}\n${text}`;
    await promisify(execFile)('bash', ['-ec', script], { cwd, env: { ...process.env, ...given } });
    const noted = readFileSync(join(cwd, 'calls'), 'utf8').split('\0').slice(0, -1);
    const commands: string[][] = [];
    while (noted.length > 0) {
      const words = noted.splice(0, 1 + Number(noted[0])).slice(1);
      commands.push(words.map((word) => filledIn[word] ?? word));
    }
    return commands;
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** The values that a reader fills in. */
const given = { OLD: '01234567' };
const filledIn: Record<string, string> = {
  ID: 'acme',
  'logo.svg': join(root, 'examples/express/public/icon.svg'),
};

test('the test finds blocks of commands', () => {
  expect(blocks.length).toBeGreaterThan(15);
});

test.each(blocks)('$at: its commands exist and accept their flags', async ({ text }) => {
  const commands = await commandsOf(text);
  for (const [program, ...args] of commands) {
    if (program !== 'npm') continue;
    const [verb, ...rest] = args;
    const flags = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : [];
    if (verb === 'start') expect(readOptions(flags)).toBeDefined();
    else if (verb === 'run') {
      const [name = ''] = rest;
      expect(manifest.scripts).toHaveProperty([name]);
      const action = name.replace(/^project:/, '');
      if (actions.includes(action)) expect(await readCommand([action, ...flags])).toBeDefined();
    } else expect(['ci', 'test']).toContain(verb);
  }
});

// DynamoDB restores to no time of the last five minutes, and the waiter of the AWS CLI ends with 255 after 25 checks, one
// every 20 s: https://docs.aws.amazon.com/cli/latest/reference/dynamodb/wait/table-exists.html
test('a restore waits until DynamoDB takes its time and has made the table', async () => {
  const { text } = blocks.find((block) => block.text.includes('restore-table-to')) ?? expect.fail();
  const refusedOnce = '[[ $2 != restore* && $2 != wait || -e $2 ]] || { touch "$2"; return 255; }';
  const commands = await commandsOf(text, refusedOnce);
  expect(commands.map(([, , operation]) => operation)).toEqual([
    ...['restore-table-to-point-in-time', 'restore-table-to-point-in-time'],
    ...['wait', 'wait', 'update-time-to-live', 'update-table', 'wait', 'update-continuous-backups'],
  ]);
});

test('a command finds a resource by a logical id that every stack has', () => {
  const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
  expect(text).not.toMatch(/describe-stack-resources/);
  const ids = [...text.matchAll(/--logical-resource-id (\w+)/g)].map(([, id]) => id);
  expect(ids).not.toEqual([]);
  expect(Object.keys(deployedResources)).toEqual(expect.arrayContaining(ids));
});
