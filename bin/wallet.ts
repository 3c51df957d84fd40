/**
 * Offline tooling of the operator, who alone holds the mnemonic (BIP-39) behind the configured xpub. The mnemonic comes
 * on stdin, never as an argument: arguments stay in the shell's history and show in `ps`.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeed, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { uid as uidSchema } from '#shared/model.ts';
import { addressOf, walletIndices } from '#shared/wallet.ts';
import { CommandFailure, messageOf, parseFlags, runCommand } from './flags.ts';

const usage = `Usage, with the mnemonic (BIP-39, English) as the first line of stdin:
  npm run wallet -- --xpub                     the xpub to configure
  npm run wallet -- --uid UID                  the path and address of a user
  npm run wallet -- --uid UID --private-key    its private key too`;

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

await runCommand(async () => {
  const wanted = read();
  if (wanted === 'help') return usage;
  const mnemonic = await readMnemonic();
  if (!validateMnemonic(mnemonic, wordlist)) {
    throw new CommandFailure('The first line of stdin is not a BIP-39 mnemonic in English.');
  }
  const account = HDKey.fromMasterSeed(await mnemonicToSeed(mnemonic)).derive(accountPath);
  if (wanted === 'xpub') return account.publicExtendedKey;
  const indices = walletIndices(wanted.uid);
  const key = indices.reduce((parent, index) => parent.deriveChild(index), account);
  if (!key.publicKey || !key.privateKey) throw new Error('A derived key is incomplete.');
  const lines = [
    `path ${[accountPath, ...indices].join('/')}`,
    `address ${addressOf(key.publicKey)}`,
  ];
  if (wanted.privateKey) lines.push(`private-key 0x${Buffer.from(key.privateKey).toString('hex')}`);
  return lines.join('\n');
});

function read(): 'help' | 'xpub' | { uid: string; privateKey: boolean } {
  try {
    return readWanted();
  } catch (error) {
    const more = 'See npm run wallet -- --help.';
    throw new CommandFailure(`${messageOf(error)}\n${more}`, { cause: error });
  }
}

function readWanted(): ReturnType<typeof read> {
  const { values } = parseFlags({
    options: {
      xpub: { type: 'boolean' },
      uid: { type: 'string' },
      'private-key': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  } as const);
  const { uid, xpub, 'private-key': privateKey } = values;
  if (values.help) return 'help';
  if (xpub && (uid !== undefined || privateKey)) {
    throw new CommandFailure('--xpub goes alone: --uid and --private-key are about one user.');
  }
  if (xpub) return 'xpub';
  if (uid === undefined) throw new CommandFailure('Say either --xpub or --uid UID.');
  // Any other text has an address too, but no user ever has it: money sent there would be lost.
  const { data } = uidSchema.safeParse(uid);
  if (data === undefined) throw new CommandFailure('--uid must be a UUID.');
  return { uid: data, privateKey };
}
