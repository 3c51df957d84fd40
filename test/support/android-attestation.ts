import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Attested } from './authenticator.ts';

/**
 * An attestation of Android's key store (WebAuthn section 8.4) as an attacker makes one: its chain ends in a root of
 * their own, and its certificate says where revocations are listed.
 */

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(6, Buffer.from(hex, 'hex'));
const integer = (value: number) => der(2, Buffer.of(value));
const octets = (...parts: Uint8Array[]) => der(4, ...parts);

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const nameOf = (text: string) =>
  sequence(der(0x31, sequence(oid('550403'), der(12, Buffer.from(text)))));
const time = (text: string) => der(23, Buffer.from(text));

function certificate(
  { serial, subject, extensions }: { serial: number; subject: string; extensions: Buffer[] },
  publicKey: KeyObject,
  issuer: KeyObject,
): Uint8Array {
  const content = sequence(
    der(0xa0, integer(2)),
    integer(serial),
    ecdsaWithSha256,
    nameOf('Root'),
    sequence(time('000101000000Z'), time('491231235959Z')),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  const signature = sign('sha256', content, issuer);
  return new Uint8Array(sequence(content, ecdsaWithSha256, der(3, Buffer.of(0), signature)));
}

/** @param crl the address of the list of revoked certificates */
export const androidAttestation =
  (crl: string) =>
  ({ publicKey, clientDataHash }: Attested): { fmt: string; attStmt: Map<string, unknown> } => {
    const root = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keyDescription = sequence(
      ...[integer(3), der(10, Buffer.of(1)), integer(4), der(10, Buffer.of(1))],
      ...[octets(clientDataHash), octets(), sequence(), sequence()],
    );
    const points = sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(crl))))));
    const extensions = [
      sequence(oid('2b06010401d679020111'), octets(keyDescription)),
      sequence(oid('551d1f'), octets(points)),
    ];
    const x5c = [
      certificate({ serial: 2, subject: 'Leaf', extensions }, publicKey, root.privateKey),
      certificate({ serial: 1, subject: 'Root', extensions: [] }, root.publicKey, root.privateKey),
    ];
    const attStmt = new Map<string, unknown>([
      ['alg', -7],
      ['sig', new Uint8Array(70)],
      ['x5c', x5c],
    ]);
    return { fmt: 'android-key', attStmt };
  };
