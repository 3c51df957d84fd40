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
    ['a secret too', from(viewer)],
    ['an empty secret', from(viewer, '')],
  ])('the connection tells the address: %s', (_, headers) => {
    expect(clientOf(headers, sourceIp, none)).toEqual(direct);
    expect(clientOf(headers, sourceIp, { ...none, only: true })).toEqual(direct);
  });
});

describe('with one, the header tells the address', () => {
  test.each([
    ['IPv4', viewer, '198.51.100.10'],
    ['IPv6', '2001:db8:0:1::a:46532', '2001:db8:0:1::a'],
    ['IPv6, whole', '2001:db8:85a3:0:0:8a2e:370:7334:443', '2001:db8:85a3:0:0:8a2e:370:7334'],
    ['IPv6 in brackets', '[2001:db8::7]:443', '2001:db8::7'],
    ['IPv4 within IPv6', '[::ffff:198.51.100.10]:443', '198.51.100.10'],
  ])('%s', (_, header, address) => {
    expect(clientOf(from(header), sourceIp, proxy)).toEqual({ kind: 'proxied', address });
  });

  test('beside either of two secrets, while one takes the place of the other', () => {
    const both = { digests: [digestOf('next'), digestOf(secret)], only: true };
    expect(clientOf(from(viewer), sourceIp, both)).toEqual(proxied);
    expect(clientOf(from(viewer, 'next'), sourceIp, both)).toEqual(proxied);
  });

  test('whatever other proxies say', () => {
    const headers = { ...from(viewer), 'x-forwarded-for': '203.0.113.7, 203.0.113.8' };
    expect(clientOf(headers, sourceIp, proxy)).toEqual(proxied);
  });

  test.each([
    ['none', undefined],
    ['empty', ''],
    ['no address', 'somewhere:443'],
    ['no port', '198.51.100.10'],
    ['two, as API Gateway joins them', '203.0.113.7:1,198.51.100.10:46532'],
    ['too high a number', '198.51.100.256:443'],
    ['more than digits', '198.51.100.10:443 '],
  ])('where it is one of these, it is the connection: %s', (_, header) => {
    const unnamed = { kind: 'unnamed', address: sourceIp };
    expect(clientOf(from(header), sourceIp, proxy)).toEqual(unnamed);
  });
});

describe('a forged header', () => {
  test.each([
    ['without the secret', { 'cloudfront-viewer-address': viewer }],
    ['with an empty one', from(viewer, '')],
    ['with another', from(viewer, `${secret}0`)],
    ['with the beginning of it', from(viewer, secret.slice(0, -1))],
    ['with its digest, which is no secret', from(viewer, digestOf(secret))],
    ['with two, as API Gateway joins them', from(viewer, `${secret},${secret}`)],
  ])('%s is ignored, or the request refused', (_, headers) => {
    expect(clientOf(headers, sourceIp, proxy)).toEqual(direct);
    expect(clientOf(headers, sourceIp, { ...proxy, only: true })).toEqual({ kind: 'refused' });
  });
});
