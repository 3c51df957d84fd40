import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { expect, test } from 'vitest';
import { addressOf, deriveAddress } from '#shared/wallet.ts';
import { developmentXpub } from '#shared/wallet-development.ts';
import { run } from './run.ts';

const mnemonic = 'test test test test test test test test test test test junk';
const uid = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01';
const wallet = (args: string[], input: string) => run(['bin/wallet.ts', ...args], { input });

test('the operator derives offline the private key of the very address that the service gave', async () => {
  const { stdout, stderr, code } = await wallet(['--uid', uid, '--private-key'], `${mnemonic}\n`);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const [, path = '', address, key] =
    /^path (\S+)\naddress (\S+)\nprivate-key 0x([0-9a-f]{64})\n$/.exec(stdout) ?? [];
  expect(address).toBe(deriveAddress(developmentXpub, uid));
  const derived = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(path);
  expect(key).toBe(Buffer.from(derived.privateKey!).toString('hex'));
  expect(address).toBe(addressOf(derived.publicKey!));
});

test('it prints the xpub to configure, and no private key unasked', async () => {
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

test('--help says what there is, on stdout', async () => {
  const { stdout, stderr, code } = await wallet(['--help'], '');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toMatch(/^Usage, .*\n  npm run wallet -- --xpub/);
});

const choose = '--xpub goes alone: --uid and --private-key are about one user.';
const noMnemonic = 'The first line of stdin is not a BIP-39 mnemonic in English.';
test.each([
  [['--xpub'], 'hunter2 hunter2\n', noMnemonic],
  [['--xpub'], '', noMnemonic],
  [[], mnemonic, 'Say either --xpub or --uid UID.'],
  [['--private-key'], mnemonic, 'Say either --xpub or --uid UID.'],
  [['--xpub', '--uid', uid], mnemonic, choose],
  [['--xpub', '--private-key'], mnemonic, choose],
  [['--uid', ''], mnemonic, '--uid must be a UUID.'],
  [['--uid'], mnemonic, "Option '--uid <value>' argument missing."],
  [['--mnemonic', mnemonic], '', "Unknown option '--mnemonic'."],
])('%j is refused with a sentence', async (args, input, sentence) => {
  const { stdout, stderr, code } = await wallet(args, input);
  expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
  const more = sentence === noMnemonic ? '' : 'See npm run wallet -- --help.\n';
  expect(stderr).toBe(`${sentence}\n${more}`);
});
