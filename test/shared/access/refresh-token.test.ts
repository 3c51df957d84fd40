import { createHmac, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  makeRefreshToken,
  type RefreshClaims,
  readRefreshToken,
  tryReadRefreshToken,
} from '#shared/access/refresh-token.ts';
import { ApiError } from '#shared/model/errors.ts';
import { anyCharacter } from '../../support/characters.ts';

const secret = createSecretKey(Buffer.alloc(32, 7));
const otherSecret = createSecretKey(Buffer.alloc(32, 8));
const claims: RefreshClaims = {
  uid: '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01',
  session_id: '7d1b6f0e-3c55-4d44-9a53-0b0f3f5e2f11',
  counter: 3,
};
const genuine = makeRefreshToken(claims, secret);

function outcome(token: string, key = secret): RefreshClaims | string {
  try {
    const read = readRefreshToken(token, key);
    expect(tryReadRefreshToken(token, key)).toEqual(read);
    return read;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(tryReadRefreshToken(token, key)).toBeUndefined();
    return error.code;
  }
}

const mac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
/** Any content with our MAC, which only a mistake of ours could create. */
function signed(content: string): string {
  const text = `rt_${Buffer.from(content).toString('base64url')}`;
  return `${text}.${mac(text)}`;
}
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const next = (letter: string) => letters[(letters.indexOf(letter) + 1) % 64] ?? 'A';
const { uid, session_id } = claims;

describe('a refresh token', () => {
  test('contains its session and counter, for every counter', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.nat({ max: 999_999_999 }), (user, id, counter) => {
        const given = { uid: user, session_id: id, counter };
        expect(outcome(makeRefreshToken(given, secret))).toEqual(given);
      }),
    );
  });

  test('is the same for the same claims, so that a response can be repeated, and differs for another counter', () => {
    expect(makeRefreshToken(claims, secret)).toBe(genuine);
    const tokens = Array.from({ length: 100 }, (_, counter) =>
      makeRefreshToken({ ...claims, counter }, secret),
    );
    expect(new Set(tokens).size).toBe(100);
  });
});

describe('refused as unauthenticated', () => {
  const content = genuine.slice(3, -44);

  test('any changed character', () => {
    for (let at = 0; at < genuine.length; at += 1) {
      const changed = genuine.slice(0, at) + next(genuine[at] ?? '') + genuine.slice(at + 1);
      expect(outcome(changed), `letter ${at}`).toBe('unauthenticated');
    }
  });

  test.each([
    ['under another secret', makeRefreshToken(claims, otherSecret)],
    ['the MAC over the content without its prefix', `rt_${content}.${mac(content)}`],
    ['without prefix', genuine.slice(3)],
    ['without MAC', genuine.slice(0, -44)],
    ['MAC cut off', genuine.slice(0, -1)],
    ['MAC longer', `${genuine}A`],
    ['padding', `${genuine}=`],
    ['a second part', `${genuine}.${genuine}`],
    ['a blank', ` ${genuine}`],
    ['a line break', `${genuine}\n`],
    ['empty', ''],
    ['very long', `rt_${'A'.repeat(1_000_000)}.${'A'.repeat(43)}`],
    ['an empty content with a MAC of zeros', `rt_.${'A'.repeat(43)}`],
    ['counter with a zero before', signed(`${uid} ${session_id} 03`)],
    ['counter negative', signed(`${uid} ${session_id} -1`)],
    ['counter not a number', signed(`${uid} ${session_id} NaN`)],
    ['counter of ten digits', signed(`${uid} ${session_id} 1000000000`)],
    ['counter beyond safe integers', signed(`${uid} ${session_id} 9007199254740993`)],
    ['something before the uid', signed(`x${uid} ${session_id} 3`)],
    ['uid not a uid', signed(`USER#1 ${session_id} 3`)],
    ['more after the counter', signed(`${uid} ${session_id} 3\n`)],
    ['access token', 'eyJhbGciOiJSUzI1NiJ9.e30.AA'],
  ])('%s', (_, token) => {
    expect(outcome(token)).toBe('unauthenticated');
  });

  test('always with the same detail', () => {
    for (const token of ['', signed('')])
      expect(() => readRefreshToken(token, secret)).toThrow(
        expect.objectContaining({ detail: 'The refresh token is not valid' }),
      );
  });

  test.each([
    ['made with another secret', makeRefreshToken(claims, otherSecret), /^another refresh secret$/],
    ['of another kind', 'eyJhbGciOiJSUzI1NiJ9.e30.AA', /^no refresh token$/],
  ])('%s: the log says so', (_, token, reason) => {
    const refused = expect.objectContaining({ reason: expect.stringMatching(reason) });
    expect(() => readRefreshToken(token, secret)).toThrow(refused);
  });

  test('any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 80 }), (text) => {
        expect(outcome(text)).toBe('unauthenticated');
        expect(outcome(`rt_${text}.${genuine.slice(-43)}`)).toBe('unauthenticated');
      }),
    );
  });
});
