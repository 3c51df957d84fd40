import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyAccessToken } from '#shared/access/access-token.ts';
import { refusal, verify } from '../support/identity-tokens.ts';
import { serve } from '../support/serve.ts';
import { badBlocks, byBlock, goodBlock } from './pkcs1.ts';
import { byKey, compact, encode, pss, type Signer, sideBySide } from './tokens.ts';

/**
 * The classes of Project Wycheproof's JSON Web Signature vectors, generated again: the originals have neither claims
 * nor a type, so a token verifier rejects even the valid ones. Here the signature is the only defect of every token but
 * the valid one.
 */

const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
};
const pssPair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const issuer = 'https://id.example.com';
const iat = Math.floor(Date.now() / 1_000);
const sub = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01';
const claims = {
  ...{ iss: issuer, sub, aud: 'demo', iat, exp: iat + 600, jti: 'once' },
  ...{ sid: '7d1b6f0e-3c55-4d44-9a53-0b0f3f5e2f11', email: 'ada@example.com' },
  email_verified: true,
};

const jwks_uri = await serve((_, response) => {
  const published = { ...pairs, PS256: pssPair };
  const keys = Object.entries(published).map(([alg, { publicKey }]) => ({
    ...publicKey.export({ format: 'jwk' }),
    ...{ kid: alg, alg, use: 'sig' },
  }));
  response.end(JSON.stringify({ keys }));
});
const provider = { issuer, jwks_uri, client_ids: ['demo'] };

const idToken = (alg: string, signer: Signer) =>
  compact({ alg, typ: 'JWT', kid: alg }, claims, signer);
const accessToken = (signer: Signer) =>
  compact({ alg: 'RS256', typ: 'at+jwt', kid: 'ours' }, claims, signer);
const isGood = async (token: string) => (await verify(token, provider)).subject === sub;
const expectBad = async (token: string) =>
  expect(await refusal(token, provider)).toMatch(/signature|not a signed JWT/);

/** Verifies with this service: the subject, or the error code. */
async function ours(token: string): Promise<string> {
  const findKey = async (): Promise<KeyObject> => pairs.RS256.publicKey;
  return verifyAccessToken(token, issuer, new Date(iat * 1_000), findKey).then(
    (content) => content.sub,
    ({ code }: { code: string }) => code,
  );
}

const toNumber = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`);
const toBytes = (number: bigint, size: number) =>
  Buffer.from(number.toString(16).padStart(2 * size, '0'), 'hex');

describe('RS256', () => {
  const { privateKey, publicKey } = pairs.RS256;
  const n = toNumber(Buffer.from(publicKey.export({ format: 'jwk' }).n ?? '', 'base64url'));

  async function expectBoth(signer: Signer): Promise<void> {
    expect(await ours(accessToken(signer))).toBe('unauthenticated');
    await expectBad(idToken('RS256', signer));
  }

  test('both verifiers accept a valid block that is built by hand', async () => {
    const signer = byBlock(privateKey, goodBlock);
    expect(signer('text')).toEqual(byKey(privateKey)('text'));
    expect(await ours(accessToken(signer))).toBe(sub);
    expect(await isGood(idToken('RS256', signer))).toBe(true);
  });

  test.each(Object.entries(badBlocks))('refuses a block with %s', async (_name, block) => {
    expect(block('text')).toHaveLength(256);
    expect(block('text')).not.toEqual(goodBlock('text'));
    await expectBoth(byBlock(privateKey, block));
  });

  const numbers: Record<string, (s: bigint) => bigint> = {
    '0': () => 0n,
    '1': () => 1n,
    '2': () => 2n,
    'n - 1': () => n - 1n,
    n: () => n,
    'n + 1': () => n + 1n,
    '2^2048 - 1': () => 2n ** 2048n - 1n,
    'n - s': (s) => n - s,
    's + 1': (s) => s + 1n,
  };
  test.each(Object.entries(numbers))('refuses the signature %s', async (_name, number) => {
    await expectBoth((text) => toBytes(number(toNumber(byKey(privateKey)(text))), 256));
  });

  test.each<[string, (signature: Buffer) => Buffer]>([
    ['s + n', (signature) => toBytes(toNumber(signature) + n, 257)],
    ['s with a leading zero', (signature) => toBytes(toNumber(signature), 257)],
    ['s with a trailing zero', (signature) => Buffer.concat([signature, Buffer.alloc(1)])],
    ['s cut off', (signature) => signature.subarray(0, 255)],
    ['s reversed', (signature) => Buffer.from([...signature.toReversed()])],
    ['nothing', () => Buffer.alloc(0)],
    ['2,000 zeros', () => Buffer.alloc(2_000)],
  ])('refuses a signature of another length: %s', async (_name, change) => {
    await expectBoth((text) => change(byKey(privateKey)(text)));
  });

  test.each<[string, Signer]>([
    ['RSASSA-PSS', byKey(privateKey, 'sha256', pss(32))],
    ['SHA-1', byKey(privateKey, 'sha1')],
    ['SHA-384', byKey(privateKey, 'sha384')],
    ['SHA-512', byKey(privateKey, 'sha512')],
    ['MD5', byKey(privateKey, 'md5')],
    ['another key', byKey(pssPair.privateKey)],
    ['another text', (text) => byKey(privateKey)(`${text}.`)],
    ['the payload alone', (text) => byKey(privateKey)(text.split('.')[1] ?? '')],
    ['the header alone', (text) => byKey(privateKey)(text.split('.')[0] ?? '')],
  ])('refuses another algorithm or text: %s', async (_name, signer) => {
    await expectBoth(signer);
  });

  test('white space in the JSON of header and payload is accepted', async () => {
    const header = JSON.stringify({ alg: 'RS256', typ: 'JWT', kid: 'RS256' }, null, '\t');
    const token = compact(header, JSON.stringify(claims, null, 2), byKey(privateKey));
    expect(await isGood(token)).toBe(true);
  });
});

describe('PS256', () => {
  const { privateKey } = pssPair;

  test('a salt of 32 bytes is accepted', async () => {
    expect(await isGood(idToken('PS256', byKey(privateKey, 'sha256', pss(32))))).toBe(true);
  });

  test.each<[string, Signer]>([
    ['no salt', byKey(privateKey, 'sha256', pss(0))],
    ['a salt of 20 bytes', byKey(privateKey, 'sha256', pss(20))],
    ['the longest salt', byKey(privateKey, 'sha256', pss(222))],
    ['SHA-512', byKey(privateKey, 'sha512', pss(32))],
    ['PKCS #1 v1.5', byKey(privateKey)],
    ['zeros', () => Buffer.alloc(256)],
  ])('%s is refused', async (_name, signer) => {
    await expectBad(idToken('PS256', signer));
  });
});

describe('ES256', () => {
  const { privateKey } = pairs.ES256;
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const signer = byKey(privateKey, 'sha256', sideBySide);
  const half = (signature: Buffer, second: boolean) =>
    toNumber(second ? signature.subarray(32) : signature.subarray(0, 32));
  const pair = (r: bigint, s: bigint, size = 32) =>
    Buffer.concat([toBytes(r, size), toBytes(s, size)]);
  const changing =
    (change: (r: bigint, s: bigint) => Buffer): Signer =>
    (text) => {
      const signature = signer(text);
      return change(half(signature, false), half(signature, true));
    };

  test('accepts (r, s) and (r, n - s), because RFC 7518 requires no low s', async () => {
    expect(await isGood(idToken('ES256', signer))).toBe(true);
    const mirrored = changing((r, s) => pair(r, order - s));
    expect(await isGood(idToken('ES256', mirrored))).toBe(true);
  });

  const edges = { '0': 0n, '1': 1n, 'n - 1': order - 1n, n: order, '2^256 - 1': 2n ** 256n - 1n };
  const all = Object.entries(edges);
  test.each(all.flatMap(([a, r]) => all.map(([b, s]) => [`r ${a}, s ${b}`, r, s] as const)))(
    '%s',
    async (_name, r, s) => {
      await expectBad(idToken('ES256', () => pair(r, s)));
    },
  );

  test.each<[string, Signer]>([
    ['DER', byKey(privateKey)],
    ['r and s swapped', changing((r, s) => pair(s, r))],
    ['r and s of 33 bytes', changing((r, s) => pair(r, s, 33))],
    ['r + n', changing((r, s) => pair(r + order, s, 33))],
    ['s + n', changing((r, s) => pair(r, s + order, 33))],
    ['r and s of 256 bytes', changing((r, s) => pair(r, s, 256))],
    ['zeros behind', changing((r, s) => Buffer.concat([pair(r, s), Buffer.alloc(2)]))],
    ['s cut off', changing((r, s) => pair(r, s).subarray(0, 63))],
    ['r alone', changing((r) => toBytes(r, 32))],
    ['r + 1', changing((r, s) => pair(r + 1n, s))],
    ['s + 1', changing((r, s) => pair(r, s + 1n))],
    ['SHA-384', byKey(privateKey, 'sha384', sideBySide)],
    ['SHA-1', byKey(privateKey, 'sha1', sideBySide)],
    ['another text', (text) => signer(`${text}.`)],
    ['another curve', byKey(onAnotherCurve(), 'sha256', sideBySide)],
    ['nothing', () => Buffer.alloc(0)],
  ])('%s', async (_name, each) => {
    await expectBad(idToken('ES256', each));
  });
});

function onAnotherCurve(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
}

describe('EdDSA', () => {
  const { privateKey } = pairs.EdDSA;
  const signer = byKey(privateKey, null);
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const reversed = (bytes: Buffer) => Buffer.from([...bytes.toReversed()]);
  const withS = (signature: Buffer, change: (s: bigint) => bigint) => {
    const s = change(toNumber(reversed(signature.subarray(32))));
    return Buffer.concat([signature.subarray(0, 32), reversed(toBytes(s, 32))]);
  };
  const identity = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]);

  test('the signature is valid, and equal for equal texts', async () => {
    expect(await isGood(idToken('EdDSA', signer))).toBe(true);
    const again = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(sign(null, Buffer.from('text'), again)).toEqual(signer('text'));
  });

  test.each<[string, Signer]>([
    // Without this check one signature has many forms (RFC 8032 section 8.4).
    ['s + the order', (text) => withS(signer(text), (s) => s + order)],
    ['s + 2 orders', (text) => withS(signer(text), (s) => s + 2n * order)],
    ['s 0', (text) => withS(signer(text), () => 0n)],
    ['the order minus s', (text) => withS(signer(text), (s) => order - s)],
    ['the neutral point and 0', () => Buffer.concat([identity, Buffer.alloc(32)])],
    ['zeros', () => Buffer.alloc(64)],
    ['ones', () => Buffer.alloc(64, 255)],
    ['cut off', (text) => signer(text).subarray(0, 63)],
    ['longer', (text) => Buffer.concat([signer(text), Buffer.alloc(1)])],
    [
      'the halves swapped',
      (text) => Buffer.concat([signer(text).subarray(32), signer(text).subarray(0, 32)]),
    ],
    ['another text', (text) => signer(`${text}.`)],
    ['the digest of the text', (text) => signer(encode(text))],
    ['another key', byKey(generateKeyPairSync('ed25519').privateKey, null)],
  ])('%s is refused', async (_name, each) => {
    await expectBad(idToken('EdDSA', each));
  });
});
