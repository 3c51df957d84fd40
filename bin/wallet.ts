/**
 * Offline tool of the operator, the only holder of the mnemonic (BIP-39) behind the configured xpub. The mnemonic is
 * read from stdin, never from an argument: arguments stay in the shell history and are visible in `ps`. The tool makes
 * no connection, and imports only what `npm run wallet:bundle` puts into one file.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { addressOf, walletIndices } from '../shared/identity/wallet/wallet.ts';
import { messageOf } from '../shared/model/message-of.ts';
import { CommandFailure, parseFlags, runCommand, type Terminal } from './flags.ts';

const command = import.meta.filename.endsWith('.mjs') ? 'node wallet.mjs' : 'npm run wallet --';
const usage = `Usage, on an offline machine:
  ${command} --new                      a new mnemonic of 24 words, shown only once
With the mnemonic (BIP-39, English) as the first line of stdin:
  ${command} --xpub                     the xpub to configure
  ${command} --uid UID                  the path and address of a user
  ${command} --uid UID --private-key    also its private key`;

/** Printed to stderr with a new mnemonic, so that it is not in a file that stdout is redirected to. */
const advice = `Write these 24 words down and keep them offline: they are not stored and cannot be shown again.
Anyone who has them controls every user's wallet. Next, the xpub to configure: ${command} --xpub
`;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The account (BIP-44, coin type 60) whose extended public key is configured in the service. */
const accountPath = "m/44'/60'/0'";

/** Reads one line without echoing it on a terminal. */
async function readMnemonic({ stdin, stderr }: Terminal): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = stdin.isTTY ?? false;
  if (terminal) stderr.write('Mnemonic (not shown): ');
  const input = createInterface({ input: stdin, output: silent, terminal });
  const { value } = await input[Symbol.asyncIterator]().next();
  input.close();
  if (terminal) stderr.write('\n');
  return (value ?? '').trim().replace(/\s+/g, ' ').normalize('NFKD');
}

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const request = read(args);
  if (request === 'help') return usage;
  if (request === 'new') {
    terminal.stderr.write(advice);
    return generateMnemonic(wordlist, 256);
  }
  const mnemonic = await readMnemonic(terminal);
  if (!validateMnemonic(mnemonic, wordlist)) {
    throw new CommandFailure('The first line of stdin is not an English BIP-39 mnemonic.');
  }
  const account = HDKey.fromMasterSeed(await mnemonicToSeed(mnemonic)).derive(accountPath);
  if (request === 'xpub') return account.publicExtendedKey;
  const indices = walletIndices(request.uid);
  const key = indices.reduce((parent, index) => parent.deriveChild(index), account);
  if (!key.publicKey || !key.privateKey) throw new Error('A derived key is incomplete.');
  const lines = [
    `path ${[accountPath, ...indices].join('/')}`,
    `address ${addressOf(key.publicKey)}`,
  ];
  if (request.privateKey)
    lines.push(`private-key 0x${Buffer.from(key.privateKey).toString('hex')}`);
  return lines.join('\n');
}

if (import.meta.main) await runCommand(main);

function read(args: string[]): 'help' | 'new' | 'xpub' | { uid: string; privateKey: boolean } {
  try {
    return readWanted(args);
  } catch (error) {
    const more = `See ${command} --help.`;
    throw new CommandFailure(`${messageOf(error)}\n${more}`, { cause: error });
  }
}

function readWanted(args: string[]): ReturnType<typeof read> {
  const { values } = parseFlags({
    args,
    options: {
      new: { type: 'boolean', default: false },
      xpub: { type: 'boolean', default: false },
      uid: { type: 'string' },
      'private-key': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { xpub, 'private-key': privateKey } = values;
  const uid = values.uid?.toLowerCase();
  if (values.help) return 'help';
  if (values.new && (xpub || uid !== undefined || privateKey)) {
    throw new CommandFailure('Pass --new alone: it reads no mnemonic.');
  }
  if (values.new) return 'new';
  if (xpub && (uid !== undefined || privateKey)) {
    throw new CommandFailure('Pass --xpub alone: --uid and --private-key apply to one user.');
  }
  if (xpub) return 'xpub';
  if (uid === undefined) throw new CommandFailure('Pass --new, --xpub or --uid UID.');
  // Any other text would also derive an address, but no user ever has it: money sent there would be lost.
  if (!uuid.test(uid)) throw new CommandFailure('--uid must be a UUID.');
  return { uid, privateKey };
}
