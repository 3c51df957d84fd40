import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { clientOf } from '#shared/http/client-address.ts';

const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
const secret = '8a1c4f0b7d2e';
const proxy = { digests: [digestOf(secret)], only: false };
const none = { digests: [], only: false };
const sourceIp = '130.176.0.9';
const viewer = '198.51.100.10:46532';
const from = (address?: string, proof: string | undefined = secret) => ({
  'x-origin-verify': proof,
  'cloudfront-viewer-address': address,
});
const direct = { kind: 'direct', address: sourceIp };
const proxied = { kind: 'proxied', address: '198.51.100.10' };

describe('without a trusted proxy', () => {
  test.each([
    ['no header', {}],
    ['a header of CloudFront', from(viewer, undefined)],
    ['the header and a secret', from(viewer)],
    ['the header and an empty secret', from(viewer, '')],
  ])('the address is that of the connection: %s', (_, headers) => {
    expect(clientOf(headers, sourceIp, none)).toEqual(direct);
    expect(clientOf(headers, sourceIp, { ...none, only: true })).toEqual(direct);
  });
});

describe('with a trusted proxy the address is that of its header:', () => {
  test.each([
    ['IPv4', viewer, '198.51.100.10'],
    ['IPv6', '2001:db8:0:1::a:46532', '2001:db8:0:1::a'],
    ['IPv6, whole', '2001:db8:85a3:0:0:8a2e:370:7334:443', '2001:db8:85a3:0:0:8a2e:370:7334'],
    ['IPv6 in brackets', '[2001:db8::7]:443', '2001:db8::7'],
    ['IPv4 within IPv6', '[::ffff:198.51.100.10]:443', '198.51.100.10'],
  ])('%s', (_, header, address) => {
    expect(clientOf(from(header), sourceIp, proxy)).toEqual({ kind: 'proxied', address });
  });

  test('with either of two secrets, during their rotation', () => {
    const both = { digests: [digestOf('next'), digestOf(secret)], only: true };
    expect(clientOf(from(viewer), sourceIp, both)).toEqual(proxied);
    expect(clientOf(from(viewer, 'next'), sourceIp, both)).toEqual(proxied);
  });

  test('regardless of other proxies', () => {
    const headers = { ...from(viewer), 'x-forwarded-for': '203.0.113.7, 203.0.113.8' };
    expect(clientOf(headers, sourceIp, proxy)).toEqual(proxied);
  });

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['without an address', 'somewhere:443'],
    ['without a port', '198.51.100.10'],
    ['two values joined by API Gateway', '203.0.113.7:1,198.51.100.10:46532'],
    ['a number that is too high', '198.51.100.256:443'],
    ['more than digits', '198.51.100.10:443 '],
  ])('unless the header is malformed; then it is that of the connection: %s', (_, header) => {
    const unnamed = { kind: 'unnamed', address: sourceIp };
    expect(clientOf(from(header), sourceIp, proxy)).toEqual(unnamed);
  });
});

describe('a forged header', () => {
  test.each([
    ['without the secret', { 'cloudfront-viewer-address': viewer }],
    ['with an empty secret', from(viewer, '')],
    ['with another secret', from(viewer, `${secret}0`)],
    ['with the beginning of the secret', from(viewer, secret.slice(0, -1))],
    ['with the digest of the secret', from(viewer, digestOf(secret))],
    ['with two secrets joined by API Gateway', from(viewer, `${secret},${secret}`)],
  ])('%s is ignored, or refused if only the proxy is allowed', (_, headers) => {
    expect(clientOf(headers, sourceIp, proxy)).toEqual(direct);
    expect(clientOf(headers, sourceIp, { ...proxy, only: true })).toEqual({ kind: 'refused' });
  });
});
