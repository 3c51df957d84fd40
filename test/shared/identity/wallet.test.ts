import { createECDH } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { developmentXpub } from '#shared/identity/wallet/development-wallet.ts';
import { addressOf, assertDeployable, deriveAddress } from '#shared/identity/wallet/wallet.ts';
import { sha256 } from '#shared/model/ids.ts';

const mnemonic = 'test test test test test test test test test test test junk';
const master = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));
const uid = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01';

/** The path, computed from the digest's bits as text, independently of the code under test. */
function pathOf(user: string): string {
  const bits = [...Buffer.from(sha256(user), 'base64url')]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  const parts = [0, 31, 62, 93].map((from) => Number.parseInt(bits.slice(from, from + 31), 2));
  return `m/44'/60'/0'/${parts.join('/')}`;
}

/** The address of a private key, computed with Node's own curve, in lower case. */
function addressOfPrivate(key: Uint8Array): string {
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(key);
  return `0x${Buffer.from(keccak_256(curve.getPublicKey().subarray(1)).subarray(12)).toString('hex')}`;
}

describe('addresses', () => {
  test('every address derived from the xpub belongs to the private key derived from the mnemonic', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), fc.string()), (user) => {
        const { privateKey } = master.derive(pathOf(user));
        const address = deriveAddress(developmentXpub, user);
        expect(address.toLowerCase()).toBe(addressOfPrivate(privateKey as Uint8Array));
      }),
      { numRuns: 50 },
    );
  });

  test('an address never changes: the derivation is part of the interface', () => {
    expect(deriveAddress(developmentXpub, uid)).toBe('0x93C196C7944c72b1F85862e0A827b119bFB28673');
  });

  test('the checksum is that of EIP-55 for a compressed and an uncompressed key', () => {
    const first = master.derive("m/44'/60'/0'/0/0");
    const known = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
    expect(addressOf(first.publicKey as Uint8Array)).toBe(known);
    const curve = createECDH('secp256k1');
    curve.setPrivateKey(first.privateKey as Uint8Array);
    expect(addressOf(curve.getPublicKey())).toBe(known);
  });

  test('two xpubs used in turn do not mix', () => {
    const other = master.derive("m/44'/60'/1'").publicExtendedKey;
    const mine = deriveAddress(developmentXpub, uid);
    expect(deriveAddress(other, uid)).not.toBe(mine);
    expect(deriveAddress(developmentXpub, uid)).toBe(mine);
  });
});

describe('configuration', () => {
  const account = master.derive("m/44'/60'/0'");

  test('a private key is refused and not repeated in the error', () => {
    const xprv = account.privateExtendedKey;
    expect(() => deriveAddress(xprv, uid)).toThrow(/^WALLET_XPUB is a private key/);
    expect(() => deriveAddress(xprv, uid)).not.toThrow(xprv.slice(4, 20));
    expect(() => assertDeployable(xprv, true)).toThrow(/private key/);
  });

  const testnet = { private: 0x04358394, public: 0x043587cf };
  const elsewhere = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic), testnet);
  test.each([
    ['an empty text', ''],
    ['a mnemonic', mnemonic],
    ['one wrong letter', `${developmentXpub.slice(0, -1)}Q`],
    ['a truncated key', developmentXpub.slice(0, -1)],
    ['a trailing space', `${developmentXpub} `],
    ['another network', elsewhere.publicExtendedKey],
  ])('%s is refused', (_, value) => {
    expect(() => deriveAddress(value, uid)).toThrow(/^WALLET_XPUB is not a BIP-32 extended public/);
  });

  test("the development key is accepted on a developer's machine only", () => {
    const own = master.derive("m/44'/60'/1'").publicExtendedKey;
    expect(() => assertDeployable(developmentXpub, true)).not.toThrow();
    expect(() => assertDeployable(developmentXpub, false)).toThrow(/is the development key/);
    expect(() => assertDeployable(own, false)).not.toThrow();
  });

  describe("the keys of BIP-32's own test vectors are accepted on a developer's machine only:", () => {
    const vectors: [seed: string, ...paths: string[]][] = [
      [
        '000102030405060708090a0b0c0d0e0f',
        ...['m', "m/0'", "m/0'/1", "m/0'/1/2'", "m/0'/1/2'/2", "m/0'/1/2'/2/1000000000"],
      ],
      [
        'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
        ...['m', 'm/0', "m/0/2147483647'", "m/0/2147483647'/1"],
        ...["m/0/2147483647'/1/2147483646'", "m/0/2147483647'/1/2147483646'/2"],
      ],
      [
        '4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be',
        ...['m', "m/0'"],
      ],
      [
        '3ddd5602285899a946114506157c7997e5444528f3003f6134712147db19b678',
        ...['m', "m/0'", "m/0'/1'"],
      ],
    ];
    const keys = vectors.flatMap(([seed, ...paths]) => {
      const key = HDKey.fromMasterSeed(Buffer.from(seed, 'hex'));
      return paths.map((path) => [`${seed.slice(0, 8)} ${path}`, key.derive(path)] as const);
    });

    test.each(keys)('%s', (_, { publicExtendedKey: xpub }) => {
      expect(() => assertDeployable(xpub, true)).not.toThrow();
      expect(() => assertDeployable(xpub, false)).toThrow(
        'a test vector of BIP-32, whose private keys everyone can derive',
      );
    });
  });
});
