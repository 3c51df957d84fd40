import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  byKey,
  byMac,
  compact,
  encode,
  flipped,
  pss,
  respelled,
  sideBySide,
  spellingsOf,
  unsigned,
} from './tokens.ts';

/** A valid RS256 token, and the public key, which an attacker knows. */
export type Target = {
  genuine: string;
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  publicKey: KeyObject;
  kid: string;
};
/** Forged tokens by their defect. */
type Forgeries = Record<string, string>;

/** The attacker's keys. */
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' });
const k256 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const ed = generateKeyPairSync('ed25519');
export const stranger = rsa;

const named = (entries: Iterable<readonly [string, string]>): Forgeries =>
  Object.fromEntries(entries);

/** RFC 8725 section 3.1 and 2.1: `none`, in every spelling, with and without a signature. */
function withoutAlgorithm({ genuine, header, claims }: Target): Forgeries {
  const [, , signature = ''] = genuine.split('.');
  const said = [
    'none',
    'None',
    'NONE',
    'nOnE',
    'none ',
    ' none',
    'none\0',
    'n\u043ene',
    'null',
    '',
  ];
  const odd = [null, 0, false, [], ['none'], ['RS256'], { alg: 'RS256' }, 'rs256', 'RS256 ', 'RS1'];
  const { alg: _, ...rest } = header;
  const headers = new Map<string, unknown>([
    ...[...said, ...odd].map((alg) => [JSON.stringify(alg), { ...header, alg }] as const),
    ['left out', rest],
    ['"\\u006eone"', JSON.stringify({ ...header, alg: '?' }).replace('?', '\\u006eone')],
    ['duplicate, none first', `{"alg":"none",${JSON.stringify(header).slice(1)}`],
    ['duplicate, none last', `${JSON.stringify(header).slice(0, -1)},"alg":"none"}`],
    ['in capitals', { ...rest, ALG: 'none' }],
  ]);
  return named(
    [...headers].flatMap(([alg, each]) => [
      [`alg ${alg}, no signature`, compact(each, claims, unsigned)] as const,
      [`alg ${alg}, genuine signature`, `${encode(each)}.${encode(claims)}.${signature}`] as const,
    ]),
  );
}

/** RFC 8725 section 2.1: the public key as the secret of an HMAC. */
function withTheKeyAsSecret({ header, claims, publicKey, kid }: Target): Forgeries {
  const hashes = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512', RS256: 'sha256' };
  return named(
    Object.entries(spellingsOf(publicKey, kid)).flatMap(([spelling, secret]) =>
      Object.entries(hashes).map(([alg, hash]) => [
        `${alg} with ${spelling}`,
        compact({ ...header, alg }, claims, byMac(secret, hash)),
      ]),
    ),
  );
}

/** RFC 8725 section 3.1: algorithms other than the key's, with keys of the attacker. */
function byAnotherKey({ header, claims }: Target): Forgeries {
  const make = (alg: string, signer: Parameters<typeof compact>[2]) =>
    compact({ ...header, alg }, claims, signer);
  return {
    'RS256 by another key': make('RS256', byKey(rsa.privateKey)),
    'RS384 by another key': make('RS384', byKey(rsa.privateKey, 'sha384')),
    'RS512 by another key': make('RS512', byKey(rsa.privateKey, 'sha512')),
    'PS256 by another key': make('PS256', byKey(rsa.privateKey, 'sha256', pss(32))),
    'PS512 by another key': make('PS512', byKey(rsa.privateKey, 'sha512', pss(64))),
    'ES256 by another key': make('ES256', byKey(p256.privateKey, 'sha256', sideBySide)),
    'ES384 by another key': make('ES384', byKey(p384.privateKey, 'sha384', sideBySide)),
    'ES512 by another key': make('ES512', byKey(p521.privateKey, 'sha512', sideBySide)),
    'ES256K by another key': make('ES256K', byKey(k256.privateKey, 'sha256', sideBySide)),
    'EdDSA by another key': make('EdDSA', byKey(ed.privateKey, null)),
    'Ed25519 by another key': make('Ed25519', byKey(ed.privateKey, null)),
    'RS256 in the header, signed by ES256': make(
      'RS256',
      byKey(p256.privateKey, 'sha256', sideBySide),
    ),
    'RS256 in the header, signed by EdDSA': make('RS256', byKey(ed.privateKey, null)),
    'HS256 with a secret of the attacker': make('HS256', byMac('secret')),
  };
}

/** RFC 8725 section 3.10: the attacker's own key, embedded or referenced. */
function withAKeyOfTheirs({ header, claims, kid }: Target, address: string): Forgeries {
  const jwk = rsa.publicKey.export({ format: 'jwk' });
  const x5c = [rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')];
  const by = (more: object) => compact({ ...header, ...more }, claims, byKey(rsa.privateKey));
  return {
    jwk: by({ jwk }),
    'jwk with the key id': by({ jwk: { ...jwk, kid, alg: 'RS256', use: 'sig' } }),
    'jwk and another key id': by({ jwk: { ...jwk, kid: 'theirs' }, kid: 'theirs' }),
    'jwk and no key id': by({ jwk, kid: undefined }),
    'jwk, a secret': compact(
      { ...header, alg: 'HS256', jwk: { kty: 'oct', k: encode('secret') } },
      claims,
      byMac('secret'),
    ),
    jwks: by({ jwks: { keys: [jwk] } }),
    jku: by({ jku: address }),
    'jku and another key id': by({ jku: address, kid: 'theirs' }),
    'jku that looks like the issuer': by({ jku: `${address}#${String(claims['iss'])}` }),
    x5u: by({ x5u: address }),
    x5c: by({ x5c }),
    'x5c and no key id': by({ x5c, kid: undefined }),
    x5t: by({ x5t: encode('01234567890123456789') }),
    'x5t#S256': by({ 'x5t#S256': encode('01234567890123456789012345678901') }),
    'kid is an address': by({ kid: address }),
    'iss is an address': compact(header, { ...claims, iss: address }, byKey(rsa.privateKey)),
  };
}

/** RFC 8725 section 3.10: injection through a key id that becomes part of a path, a query or a key. */
function withAKeyId({ header, claims, kid }: Target): Forgeries {
  const ids: unknown[] = [
    ...['', ' ', '/', '.', '..', '../../../../dev/null', `../${kid}`, `${kid}/../${kid}`],
    ...['/proc/self/environ', 'file:///dev/null', 'C:\\NUL', "' OR '1'='1", `${kid}' --`],
    ...['" OR pk = "', `KEY#${kid}`, `#${kid}`, `${kid}#`, 'PROJECT#demo', 'KEY#', '$(id)', '`id`'],
    ...['*', '%00', '\0', `${kid}\0`, ` ${kid}`, `${kid}\n`, '__proto__', 'constructor', 'size'],
    ...['get', 'x'.repeat(64), 'x'.repeat(65), 'x'.repeat(2_000), '\u{1f511}', '\ud800'],
    ...[null, true, 0, 1.5, [], [kid], {}, { kid }, { $ne: null }, { S: kid }, { toString: kid }],
  ];
  const { kid: _, ...rest } = header;
  const sign = byKey(rsa.privateKey);
  return {
    'no kid': compact(rest, claims, sign),
    'kid given twice': compact(
      `{"kid":"theirs",${JSON.stringify(header).slice(1)}`,
      claims,
      byKey(rsa.privateKey),
    ),
    ...named(
      ids.map((id) => {
        const text = JSON.stringify(id);
        const name = text.length > 60 ? `${text.slice(0, 20)}… of ${text.length}` : text;
        return [`kid ${name}`, compact({ ...header, kid: id }, claims, sign)];
      }),
    ),
  };
}

/** Changes to a genuine token without any key: other content, another signature, another format. */
function changed({ genuine, header, claims }: Target, another: string): Forgeries {
  const [head = '', body = '', signature = ''] = genuine.split('.');
  const [otherHead = '', otherBody = '', otherSignature = ''] = another.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const signedBy = (content: Buffer) => `${head}.${body}.${content.toString('base64url')}`;
  const flat = { payload: body, protected: head, signature };
  return {
    'the payload of another': `${head}.${otherBody}.${signature}`,
    'the signature of another': `${head}.${body}.${otherSignature}`,
    'the header of another, its key id changed': `${flipped(otherHead, otherHead.length - 4)}.${body}.${signature}`,
    'a claim more': `${head}.${encode({ ...claims, admin: true })}.${signature}`,
    'an expiry further off': `${head}.${encode({ ...claims, exp: 9_999_999_999 })}.${signature}`,
    'a blank more in the header': `${encode(`${JSON.stringify(header)} `)}.${body}.${signature}`,
    'a blank more in the payload': `${head}.${encode(`${JSON.stringify(claims)} `)}.${signature}`,
    'no signature': `${head}.${body}.`,
    'no signature and no dot': `${head}.${body}`,
    'no payload': `${head}..${signature}`,
    'no header': `.${body}.${signature}`,
    'nothing but the signature': `..${signature}`,
    'nothing but dots': '..',
    'one dot': '.',
    'the header alone': head,
    'a dot more behind': `${genuine}.`,
    'a dot more before': `.${genuine}`,
    'four parts': `${genuine}.${signature}`,
    'five parts': `${head}.${body}.${signature}.${body}.${signature}`,
    'a JWE': `${encode({ alg: 'dir', enc: 'A256GCM' })}..${encode('123456789012')}.${body}.${encode('1234567890123456')}`,
    'a JWE by the public key': `${encode({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.${signature}.${encode('123456789012')}.${body}.${encode('1234567890123456')}`,
    'the genuine one inside of an unsigned one': compact(
      { alg: 'none', cty: 'JWT' },
      genuine,
      unsigned,
    ),
    'the genuine one inside of another': compact(
      { ...header, cty: 'JWT' },
      genuine,
      byKey(rsa.privateKey),
    ),
    'twice in a row': `${genuine}${genuine}`,
    'JSON serialization, flattened': JSON.stringify(flat),
    'JSON serialization, general': JSON.stringify({
      payload: body,
      signatures: [{ protected: head, signature }],
    }),
    'JSON serialization, a second signature': JSON.stringify({
      payload: body,
      signatures: [
        { protected: head, signature },
        { header: { alg: 'none' }, signature: '' },
      ],
    }),
    'signature of zeros': signedBy(Buffer.alloc(256)),
    'signature of one': signedBy(Buffer.concat([Buffer.alloc(255), Buffer.from([1])])),
    'signature of ones': signedBy(Buffer.alloc(256, 0xff)),
    'signature of one byte': signedBy(Buffer.from([0])),
    'signature cut off in front': signedBy(bytes.subarray(1)),
    'signature cut off behind': signedBy(bytes.subarray(0, -1)),
    'signature with a zero before': signedBy(Buffer.concat([Buffer.from([0]), bytes])),
    'signature with a zero behind': signedBy(Buffer.concat([bytes, Buffer.from([0])])),
    'signature twice': signedBy(Buffer.concat([bytes, bytes])),
    'signature backwards': signedBy(Buffer.from([...bytes].toReversed())),
    ...named(
      [0, 1, head.length - 2, head.length + 1, head.length + body.length - 2, genuine.length - 9]
        .map((at) => flipped(genuine, at))
        .map((token, i) => [`another letter, no. ${i + 1}`, token]),
    ),
  };
}

/** RFC 7515 section 2: the same bytes in another encoding, which base64url does not allow. */
function respellings({ genuine }: Target): Forgeries {
  const [head = '', body = '', signature = ''] = genuine.split('.');
  const inside = (part: string, text: string) => `${part.slice(0, 8)}${text}${part.slice(8)}`;
  const standard = genuine.replaceAll('-', '+').replaceAll('_', '/');
  const odd = ['=', ' ', '\n', '\r\n', '\t', '\0', '!', '%3D', '\u00a0', '\u200b', '\ufeff', ','];
  return {
    'unused bits of the signature': `${head}.${body}.${respelled(signature)}`,
    'padding of the signature': `${head}.${body}.${signature}==`,
    'padding of every part': [head, body, signature]
      .map((part) => part.padEnd(Math.ceil(part.length / 4) * 4, '='))
      .join('.'),
    ...(standard !== genuine && { 'letters of base64': standard }),
    'the dots encoded': genuine.replaceAll('.', '%2E'),
    'other dots': genuine.replaceAll('.', '\u3002'),
    'in lower case': genuine.toLowerCase(),
    'in quotes': `"${genuine}"`,
    ...named(
      odd.flatMap((text) => {
        const name = JSON.stringify(text);
        return [
          [`${name} before`, `${text}${genuine}`],
          [`${name} behind`, `${genuine}${text}`],
          [`${name} in the header`, `${inside(head, text)}.${body}.${signature}`],
          [`${name} in the payload`, `${head}.${inside(body, text)}.${signature}`],
          [`${name} in the signature`, `${head}.${body}.${inside(signature, text)}`],
          [`${name} behind the header`, `${head}${text}.${body}.${signature}`],
          [`${name} before the signature`, `${head}.${body}.${text}${signature}`],
        ] as const;
      }),
    ),
  };
}

/**
 * Every forgery of a token, by its class.
 * @param another a valid token of another user
 * @param address where an attacker hosts keys
 */
export const forgeriesOf = (
  target: Target,
  another: string,
  address: string,
): Record<string, Forgeries> => ({
  'without an algorithm': withoutAlgorithm(target),
  'with the public key as secret': withTheKeyAsSecret(target),
  'by a key of another kind': byAnotherKey(target),
  "by a key of the attacker's choice": withAKeyOfTheirs(target, address),
  'with a key id that reaches elsewhere': withAKeyId(target),
  changed: changed(target, another),
  'spelled otherwise': respellings(target),
});
