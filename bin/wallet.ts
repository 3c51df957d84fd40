/**
 * Offline tooling of the operator, who alone holds the mnemonic (BIP-39) behind the configured xpub.
 *
 *     npm run wallet -- --xpub                     the xpub to configure as WALLET_XPUB
 *     npm run wallet -- --uid UID                  the path and address of a user
 *     npm run wallet -- --uid UID --private-key    its private key too
 *
 * The mnemonic comes on stdin, never as an argument: arguments stay in the shell's history and show in `ps`.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeed, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { addressOf, walletIndices } from '#shared/wallet.ts';

/** The account (BIP-44, coin type 60) whose extended public key the service is configured with. */
const accountPath = "m/44'/60'/0'";

/** Reads one line without echoing it on a terminal. */
async function readMnemonic(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Mnemonic (not shown): ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = process.stdin.isTTY ?? false;
  const input = createInterface({ input: process.stdin, output: silent, terminal });
  const { value } = await input[Symbol.asyncIterator]().next();
  input.close();
  if (terminal) process.stderr.write('\n');
  return (value ?? '').trim().replace(/\s+/g, ' ').normalize('NFKD');
}

async function main(): Promise<string[]> {
  const { values } = parseArgs({
    options: {
      xpub: { type: 'boolean', default: false },
      uid: { type: 'string' },
      'private-key': { type: 'boolean', default: false },
    },
  });
  const { uid } = values;
  if (values.xpub === (uid !== undefined)) throw new Error('Say either --xpub or --uid UID.');
  const mnemonic = await readMnemonic();
  if (!validateMnemonic(mnemonic, wordlist)) {
    throw new Error('The first line of stdin is not a BIP-39 mnemonic in English.');
  }
  const account = HDKey.fromMasterSeed(await mnemonicToSeed(mnemonic)).derive(accountPath);
  if (uid === undefined) return [account.publicExtendedKey];
  const indices = walletIndices(uid);
  const key = indices.reduce((parent, index) => parent.deriveChild(index), account);
  if (!key.publicKey || !key.privateKey) throw new Error('A derived key is incomplete.');
  const lines = [
    `path ${[accountPath, ...indices].join('/')}`,
    `address ${addressOf(key.publicKey)}`,
  ];
  if (values['private-key']) {
    lines.push(`private-key 0x${Buffer.from(key.privateKey).toString('hex')}`);
  }
  return lines;
}

try {
  console.log((await main()).join('\n'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
