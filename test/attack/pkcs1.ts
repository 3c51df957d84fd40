import { constants, createHash, type KeyObject, privateEncrypt } from 'node:crypto';
import type { Signer } from './tokens.ts';

/**
 * RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2) by hand: signatures that a verifier accepts if it parses the block instead
 * of comparing it.
 */

/** Signs any block unchanged: raw RSA without padding. */
export const byBlock =
  (key: KeyObject, blockOf: (text: string) => Buffer): Signer =>
  (text) =>
    privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, blockOf(text));

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const join = (...parts: Buffer[]) => Buffer.concat(parts);
const digestOf = (text: string, hash = 'sha256') => createHash(hash).update(text).digest();

/** The encoded message of RFC 8017 section 9.2 around any content: `00 01 FF … FF 00 content`. */
function padded(content: Buffer, size = 256): Buffer {
  return join(bytes('0001'), Buffer.alloc(size - content.length - 3, 0xff), bytes('00'), content);
}

/** Encodes a DER element: tag, length and content. */
type Write = (tag: number, content: Buffer) => Buffer;
const written: Write = (tag, content) => join(Buffer.from([tag, content.length]), content);
const withLength =
  (lengthOf: (length: number) => string): Write =>
  (tag, content) =>
    join(Buffer.from([tag]), bytes(lengthOf(content.length)), content);
const hex = (number: number) => number.toString(16).padStart(2, '0');
const withContent =
  (change: (content: Buffer) => Buffer): Write =>
  (tag, content) =>
    written(tag, change(content));
const withTag =
  (change: (tag: number) => number): Write =>
  (tag, content) =>
    written(change(tag), content);

/** Encodings that BER allows and DER does not, and invalid ones. */
const writings: Record<string, Write> = {
  'the length in long form': withLength((length) => `81${hex(length)}`),
  'a zero before the length': withLength((length) => `8200${hex(length)}`),
  'a length one too long': withLength((length) => hex(length + 1)),
  'a length one too short': withLength((length) => hex(length === 0 ? 2 : length - 1)),
  'a length that overflows 32 bits': withLength((length) => `8501000000${hex(length)}`),
  'a length that overflows 64 bits': withLength((length) => `8901${'00'.repeat(7)}${hex(length)}`),
  'a length of 2^31 - 1': withLength(() => '847fffffff'),
  'a length of 2^31': withLength(() => '8480000000'),
  'a length of 2^32 - 1': withLength(() => '84ffffffff'),
  'a length of 2^40 - 1': withLength(() => '85ffffffffff'),
  'a length of 2^64 - 1': withLength(() => '88ffffffffffffffff'),
  'a length of the form ff': withLength(() => 'ff'),
  'a length without end': withLength(() => '80'),
  'a length without end, ended': (tag, content) =>
    join(Buffer.from([tag]), bytes('80'), content, bytes('0000')),
  'zeros behind': withContent((content) => join(content, bytes('0000'))),
  'zeros before': withContent((content) => join(bytes('0000'), content)),
  'a NULL behind': withContent((content) => join(content, bytes('0500'))),
  'garbage before': withContent((content) => join(bytes('498177'), content)),
  'garbage behind': withContent((content) => join(content, bytes('498177'))),
  'unknown tags': withContent((content) => join(bytes('aa00bb00cd00'), content)),
  'nothing in it': withContent(() => Buffer.alloc(0)),
  'the tag alone': (tag) => Buffer.from([tag]),
  nothing: () => Buffer.alloc(0),
  'a NULL instead': () => bytes('0500'),
  'itself inside of itself': (tag, content) => written(tag, written(tag, content)),
  'another tag': withTag((tag) => tag + 1),
  'the tag of a private class': withTag((tag) => tag | 0xc0),
  'the tag composed, or not': withTag((tag) => tag ^ 0x20),
  'the tag ff': withTag(() => 0xff),
  'the tag in long form': (tag, content) =>
    join(Buffer.from([(tag & 0xe0) | 0x1f, tag & 0x1f, content.length]), content),
};

/** In these two, the NULL is correct. */
const harmless = ['the NULL: nothing in it', 'the NULL: a NULL instead'];
const elements = ['the whole', 'the algorithm', 'the identifier', 'the NULL', 'the digest'];
const sha256 = '608648016503040201';

/** The DigestInfo of a text, with one of its elements encoded differently. */
function digestInfo(text: string, changed = -1, write: Write = written, oid = sha256): Buffer {
  const at = (i: number) => (i === changed ? write : written);
  const algorithm = join(at(2)(0x06, bytes(oid)), at(3)(0x05, Buffer.alloc(0)));
  return at(0)(0x30, join(at(1)(0x30, algorithm), at(4)(0x04, digestOf(text))));
}

/** The valid block. */
export const goodBlock = (text: string): Buffer => padded(digestInfo(text));

const others = { sha1: '2b0e03021a', sha384: '608648016503040202', sha512: '608648016503040203' };
const content = (of: (text: string) => Buffer) => (text: string) => padded(of(text));

/** Invalid blocks that lenient verifiers have accepted. */
export const badBlocks: Record<string, (text: string) => Buffer> = {
  ...Object.fromEntries(
    elements
      .flatMap((element, i) =>
        Object.entries(writings).map(
          ([name, write]) =>
            [`${element}: ${name}`, content((text) => digestInfo(text, i, write))] as const,
        ),
      )
      .filter(([name]) => !harmless.includes(name)),
  ),
  ...Object.fromEntries(
    Object.entries(others).flatMap(([hash, oid]) => [
      [`the name of ${hash}`, content((text) => digestInfo(text, -1, written, oid))],
      [
        `${hash} itself`,
        content((text) =>
          written(
            0x30,
            join(
              written(0x30, join(written(0x06, bytes(oid)), bytes('0500'))),
              written(0x04, digestOf(text, hash)),
            ),
          ),
        ),
      ],
    ]),
  ),
  'the bare digest': content((text) => digestOf(text)),
  'the digest in an octet string alone': content((text) => written(0x04, digestOf(text))),
  'the text itself': content((text) => Buffer.from(text.slice(0, 100))),
  'of another text': content((text) => digestInfo(`${text}.`)),
  'garbage behind a short padding': (text) =>
    join(bytes('0001ffffffffffffffff00'), digestInfo(text), Buffer.alloc(194)).subarray(0, 256),
  'garbage behind no padding': (text) =>
    join(bytes('000100'), digestInfo(text), Buffer.alloc(202)).subarray(0, 256),
  'garbage inside of the parameters': (text) =>
    padded(digestInfo(text, 3, (tag) => written(tag, Buffer.alloc(40, 7)))),
  'a padding of type 0': (text) => flip(goodBlock(text), 1, 0),
  'a padding of type 2': (text) => flip(goodBlock(text), 1, 2),
  'a first byte of one': (text) => flip(goodBlock(text), 0, 1),
  'one byte of the padding another': (text) => flip(goodBlock(text), 100, 0xfe),
  'a zero within the padding': (text) => flip(goodBlock(text), 100, 0),
  'a padding of zeros': (text) => goodBlock(text).fill(0, 2, 204),
  'no zero behind the padding': (text) => flip(goodBlock(text), 204, 0xff),
  'zeros in front instead of a padding': (text) => join(Buffer.alloc(205), digestInfo(text)),
  'the whole of it shifted by a byte': (text) =>
    join(goodBlock(text).subarray(1), bytes('00')).fill(0, 0, 1),
};

function flip(block: Buffer, at: number, value: number): Buffer {
  block[at] = value;
  return block;
}
