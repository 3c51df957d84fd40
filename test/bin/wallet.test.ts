import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { describe, expect, test } from 'vitest';
import { developmentXpub } from '#shared/identity/wallet/development-wallet.ts';
import { addressOf, deriveAddress } from '#shared/identity/wallet/wallet.ts';
import { main } from '../../bin/wallet.ts';
import { newFolder } from '../support/folder.ts';
import { call, root, run } from './run.ts';

const mnemonic = 'test test test test test test test test test test test junk';
const uid = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01';
const wallet = (args: string[], input: string) => call(main, args, { input });

test('derives offline the private key of the address that the service assigned', async () => {
  const { stdout, stderr, code } = await wallet(['--uid', uid, '--private-key'], `${mnemonic}\n`);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const [, path = '', address, key] =
    /^path (\S+)\naddress (\S+)\nprivate-key 0x([0-9a-f]{64})\n$/.exec(stdout) ?? [];
  expect(address).toBe(deriveAddress(developmentXpub, uid));
  const derived = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(path);
  expect(key).toBe(Buffer.from(derived.privateKey!).toString('hex'));
  expect(address).toBe(addressOf(derived.publicKey!));
});

test('prints the xpub to configure, and no private key without --private-key', async () => {
  const [xpub, plain] = await Promise.all([
    wallet(['--xpub'], `  ${mnemonic.replaceAll(' ', '  ')}  \n`),
    wallet(['--uid', uid], mnemonic),
  ]);
  expect(xpub).toEqual({ stdout: `${developmentXpub}\n`, stderr: '', code: 0 });
  expect(plain.stdout).not.toContain('private');
});

test('a uid in upper case is the same user', async () => {
  const upper = await wallet(['--uid', uid.toUpperCase()], mnemonic);
  expect(upper).toEqual(await wallet(['--uid', uid], mnemonic));
});

test('--help lists the flags on stdout', async () => {
  const { stdout, stderr, code } = await wallet(['--help'], '');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  for (const flag of ['--new', '--xpub', '--uid UID', '--uid UID --private-key'])
    expect(stdout).toContain(`\n  npm run wallet -- ${flag} `);
});

test('--new prints a new mnemonic of 24 words each time, on stdout only', async () => {
  const made = await Promise.all([wallet(['--new'], ''), wallet(['--new'], '')]);
  for (const { stdout, stderr, code } of made) {
    expect(code).toBe(0);
    const words = stdout.trimEnd();
    expect([words.split(' ').length, validateMnemonic(words, wordlist)]).toEqual([24, true]);
    expect(stderr).toContain('cannot be shown again');
    expect(stderr).not.toContain(words);
  }
  const [one, other] = made;
  expect(one.stdout).not.toBe(other.stdout);
  const { stdout } = await wallet(['--xpub'], one.stdout);
  expect(stdout).toMatch(/^xpub\w+\n$/);
});

describe('on a machine without a network', () => {
  const folder = newFolder();
  // If the system allows no network namespace, every proxy is a closed port.
  const cut = spawnSync('unshare', ['-rn', 'true']).status === 0 ? ['unshare', '-rn'] : [];
  const closed = 'http://127.0.0.1:9';
  const offline = (cwd: string, command: string[], input = '') => {
    const [file = '', ...args] = [...cut, ...command];
    const { stdout, stderr, status } = spawnSync(file, args, {
      ...{ cwd, input, encoding: 'utf8' },
      env: {
        PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
        HOME: folder,
        ...{ HTTPS_PROXY: closed, HTTP_PROXY: closed, npm_config_registry: closed },
      },
    });
    return { stdout, stderr, status };
  };

  /** The operator's steps there, by command. */
  const expectToWork = (cwd: string, command: string[]) => {
    const made = offline(cwd, [...command, '--new']);
    expect([made.status, made.stdout.trim().split(' ').length]).toEqual([0, 24]);
    const xpub = offline(cwd, [...command, '--xpub'], mnemonic);
    expect(xpub).toEqual({ stdout: `${developmentXpub}\n`, stderr: '', status: 0 });
    const { stdout } = offline(cwd, [...command, '--uid', uid, '--private-key'], mnemonic);
    expect(stdout).toContain(`address ${deriveAddress(developmentXpub, uid)}\nprivate-key 0x`);
  };

  test('the bundle of one file works in a folder of its own', async () => {
    const alone = join(folder, 'alone');
    const { stdout, code } = await run(['bin/wallet-bundle.ts', '--to', alone]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('wallet.mjs')]);
    expect(readdirSync(alone)).toEqual(['wallet.mjs']);
    expectToWork(alone, ['node', 'wallet.mjs']);
    expect(offline(alone, ['node', 'wallet.mjs', '--help']).stdout).toContain(
      '\n  node wallet.mjs --new ',
    );
  });

  test('npm run wallet works in a copy with only package.json, .npmrc, bin, shared and two packages', () => {
    const copy = join(folder, 'copy');
    const needed = ['@scure', '@noble'].map((name) => join('node_modules', name));
    for (const part of ['package.json', '.npmrc', 'bin', 'shared', ...needed])
      cpSync(join(root, part), join(copy, part), { recursive: true });
    expectToWork(copy, ['npm', 'run', '-s', 'wallet', '--']);
  });
});

const choose = 'Pass --xpub alone: --uid and --private-key apply to one user.';
const alone = 'Pass --new alone: it reads no mnemonic.';
const noMnemonic = 'The first line of stdin is not an English BIP-39 mnemonic.';
test.each([
  [['--xpub'], 'hunter2 hunter2\n', noMnemonic],
  [['--xpub'], '', noMnemonic],
  [[], mnemonic, 'Pass --new, --xpub or --uid UID.'],
  [['--private-key'], mnemonic, 'Pass --new, --xpub or --uid UID.'],
  [['--new', '--xpub'], mnemonic, alone],
  [['--new', '--uid', uid], mnemonic, alone],
  [['--new', '--private-key'], mnemonic, alone],
  [['--xpub', '--uid', uid], mnemonic, choose],
  [['--xpub', '--private-key'], mnemonic, choose],
  [['--uid', `${uid}0`], mnemonic, '--uid must be a UUID.'],
  [['--uid', ''], mnemonic, '--uid must be a UUID.'],
  [['--uid'], mnemonic, "Option '--uid <value>' argument missing."],
  [['--mnemonic', mnemonic], '', "Unknown option '--mnemonic'."],
])('refuses the flags %j with a reason', async (args, input, sentence) => {
  const { stdout, stderr, code } = await wallet(args, input);
  expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
  const more = sentence === noMnemonic ? '' : 'See npm run wallet -- --help.\n';
  expect(stderr).toBe(`${sentence}\n${more}`);
});
