import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isSignedBy, readJws, type Signer, signJws } from '#shared/access/jws.ts';

/** Both types of token use the same reader, so each modification is tested on both. */

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const otherEc = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pairs = { RS256: rsa, ES256: ec };
const content = { sub: 'ada' };
const signer = ({ privateKey }: Pick<Signer, 'privateKey'>): Signer => ({ kid: 'k', privateKey });
const encode = (text: string) => Buffer.from(text).toString('base64url');

describe.each(['at+jwt', 'JWT'] as const)('a token of type %s', (typ) => {
  const other = typ === 'JWT' ? 'at+jwt' : 'JWT';
  const token = signJws(typ, content, signer(rsa));
  const [head = '', body = '', signature = ''] = token.split('.');
  const headed = (header: unknown) => `${encode(JSON.stringify(header))}.${body}.${signature}`;
  const header = { alg: 'RS256', typ, kid: 'k' };

  test.each(['RS256', 'ES256'] as const)('%s: is read, and verified by its key only', (alg) => {
    const jws = readJws(typ, signJws(typ, content, signer(pairs[alg])));
    expect(jws).toMatchObject({ alg, kid: 'k', content });
    expect(isSignedBy(jws, pairs[alg].publicKey)).toBe(true);
    const others = [rsa, ec, otherEc].filter((pair) => pair !== pairs[alg]);
    expect(others.map(({ publicKey }) => isSignedBy(jws, publicKey))).toEqual([false, false]);
  });

  test('is not verified with another payload, header or signature', () => {
    for (const changed of [
      `${head}.${encode('{"sub":"eve"}')}.${signature}`,
      headed({ ...header, kid: 'l' }),
      `${head}.${body}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
      `${head}.${body}.`,
    ])
      expect(isSignedBy(readJws(typ, changed), rsa.publicKey)).toBe(false);
  });

  test('is not verified if its algorithm is not that of the key', () => {
    const signed = readJws(typ, token);
    expect(isSignedBy({ ...signed, alg: 'ES256' }, rsa.publicKey)).toBe(false);
  });

  test.each([
    ['the other type', signJws(other, content, signer(rsa))],
    ['no type', headed({ alg: 'RS256', kid: 'k' })],
    ['alg none', headed({ ...header, alg: 'none' })],
    ['alg HS256', headed({ ...header, alg: 'HS256' })],
    ['no kid', headed({ alg: 'RS256', typ })],
    ['an empty kid', headed({ ...header, kid: '' })],
    ['a long kid', headed({ ...header, kid: 'k'.repeat(65) })],
    ['a key of its own', headed({ ...header, jwk: {} })],
    ['crit', headed({ ...header, crit: ['exp'] })],
    ['a header that is not JSON', `${encode('{')}.${body}.${signature}`],
    ['a payload that is not JSON', `${head}.${encode('{')}.${signature}`],
    ['padding of the header', `${head}=.${body}.${signature}`],
    ['padding of the content', `${head}.${body}=.${signature}`],
    ['padding of the signature', `${head}.${body}.${signature}==`],
    ['a last character with spare bits set', `${head}.${body}.${signature.slice(0, -1)}_`],
    ['two parts', `${head}.${body}`],
    ['four parts', `${token}.`],
    ['an empty text', ''],
    ['4,097 characters', token.padEnd(4_097, 'A')],
  ])('%s is not read', (_, broken) => {
    expect(() => readJws(typ, broken)).toThrow(Error);
  });

  test.each([
    ['too long', token.padEnd(4_097, 'A')],
    ['does not have three parts', `${token}.`],
    ['not canonical base64url', `${token}=`],
    [`is of type ${other}`, signJws(other, content, signer(rsa))],
  ])('is refused with the reason "%s" for the log', (reason, broken) => {
    expect(() => readJws(typ, broken)).toThrow(reason);
  });
});
