import { createECDH, createHmac, createSecretKey, ECDH } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { HDKey } from '@scure/bip32';
import { isPublishedXpub } from './published-xpubs.ts';

/**
 * The wallet address of a user: an EVM address with EIP-55 checksum, derived from a BIP-32 extended public key. Uses
 * public keys only. A person with the xpub *and one* private key below it can compute all of them (BIP-32, "Security"),
 * so a derived private key must never leave the operator while the xpub is in use.
 *
 * @throws Error if `xpub` is not an extended public key with Bitcoin's mainnet version (`xpub...`), or if there is no
 *   child at one of the indices, which BIP-32 says of one in 2^127
 */
export function deriveAddress(xpub: string, uid: string): string {
  const { point } = walletIndices(uid).reduce<ExtendedKey>(childOf, accountOf(xpub));
  return addressOf(point.toBytes());
}

/** An extended public key: a point of the curve, and the chain code beside it. */
type ExtendedKey = { point: Point; chainCode: Uint8Array };
type Point = InstanceType<typeof secp256k1.Point>;

/**
 * The child of a public key, as CKDpub of BIP-32 says. OpenSSL multiplies: the library makes a table at its first
 * multiplication, which takes 45 ms.
 */
function childOf({ point, chainCode }: ExtendedKey, index: number): ExtendedKey {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(index);
  const mac = createHmac('sha512', createSecretKey(chainCode))
    .update(point.toBytes())
    .update(number)
    .digest();
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(mac.subarray(0, 32));
  const shift = secp256k1.Point.fromBytes(curve.getPublicKey());
  return { point: shift.add(point), chainCode: mac.subarray(32) };
}

/**
 * The derivation path of a user below the xpub: the first 124 bits of SHA-256(uid), as four non-hardened indices of 31
 * bits.
 */
export function walletIndices(uid: string): number[] {
  const digest = sha256(new TextEncoder().encode(uid)).subarray(0, 16);
  const bits = digest.reduce((all, byte) => (all << 8n) | BigInt(byte), 0n) >> 4n;
  return [93n, 62n, 31n, 0n].map((shift) => Number((bits >> shift) & 0x7fff_ffffn));
}

/** The address of a secp256k1 public key in any encoding, with EIP-55 checksum. */
export function addressOf(publicKey: Uint8Array): string {
  const point = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed');
  // 0x04, x, y: the address is the end of the hash of x and y.
  const address = hex(keccak_256((point as Buffer).subarray(1)).subarray(12));
  const checksum = hex(keccak_256(new TextEncoder().encode(address)));
  const checked = [...address].map((digit, i) =>
    Number.parseInt(checksum.charAt(i), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${checked.join('')}`;
}

/**
 * Returns if `xpub` may be used.
 *
 * @param onThisMachine whether the service is one of a developer's machine
 * @throws Error if it is not an extended public key, or is a published one and the service is elsewhere
 */
export function assertDeployable(xpub: string, onThisMachine: boolean): void {
  accountOf(xpub);
  if (isPublishedXpub(xpub) && !onThisMachine) {
    throw new Error(
      'WALLET_XPUB is the development key or a test vector of BIP-32, whose private keys everyone can derive. ' +
        'Configure your own: npm run wallet -- --xpub',
    );
  }
}

let memo: { xpub: string; account: ExtendedKey } | undefined;

/** The parent key of all users. An instance parses it once. */
function accountOf(xpub: string): ExtendedKey {
  if (memo?.xpub !== xpub) memo = { xpub, account: parseXpub(xpub) };
  return memo.account;
}

/** No error message contains the input, because it may be a private key by mistake. */
function parseXpub(xpub: string): ExtendedKey {
  if (/^[a-zA-Z]prv/.test(xpub)) {
    throw new Error(
      'WALLET_XPUB is a private key. Configure the extended public key (xpub...) only, and take the private one ' +
        'out of every place where this deployment reads its configuration.',
    );
  }
  try {
    const { privateKey, publicKey, chainCode } = HDKey.fromExtendedKey(xpub);
    if (!privateKey && publicKey && chainCode)
      return { point: secp256k1.Point.fromBytes(publicKey), chainCode };
  } catch {
    // The library's messages differ by cause, but the fix is the same.
  }
  throw new Error(
    'WALLET_XPUB is not a BIP-32 extended public key: it must start with xpub and its checksum must hold.',
  );
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
