/** @module-tag proof */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { HttpRequest } from '@smithy/core/transport';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSigner } from '#shared/db/transport/sign.ts';

const { sha256 } = new DynamoDBClient({ region: 'local' }).config;

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const token = fc.stringMatching(/^[A-Za-z0-9+/=]{1,80}$/);
const accessKeyId = fc.stringMatching(/^[A-Z0-9]{16,20}$/);
const days = ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z', '2028-02-29T00:00:00.001Z'];
const requests = fc.record({
  service: fc.constantFrom('dynamodb', 'secretsmanager'),
  region: fc.constantFrom('eu-central-1', 'us-gov-west-1', 'local'),
  host: fc.constantFrom('dynamodb.eu-central-1.amazonaws.com', 'localhost:8000', '127.0.0.1:1'),
  target: fc.constantFrom('DynamoDB_20120810.GetItem', 'DynamoDB_20120810.TransactWriteItems'),
  body: fc
    .record({ TableName: text, Key: fc.dictionary(text, text) })
    .map((x) => JSON.stringify(x)),
  credentials: fc.record(
    { accessKeyId, secretAccessKey: token, sessionToken: token },
    { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
  ),
  // The last and the first second of a day, of a year and of a leap day among them.
  now: fc.oneof(
    fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
    fc.constantFrom(...days.map((each) => new Date(each))),
  ),
});

test("10,000 requests are signed as by the SDK's signer", async () => {
  const signers = new Map<string, ReturnType<typeof createSigner>>();
  await fc.assert(
    fc.asyncProperty(
      requests,
      async ({ service, region, host, target, body, credentials, now }) => {
        const by = { credentials, region, service, sha256 };
        const theirs = new SignatureV4({ ...by, applyChecksum: false });
        const request = new HttpRequest({
          ...{ method: 'POST', protocol: 'https:', hostname: host, path: '/' },
          ...{ headers: { host, 'x-amz-target': target }, body },
        });
        const { headers } = await theirs.sign(request, { signingDate: now });
        const { 'x-amz-target': _, ...added } = headers;
        const of = `${service} ${region}`;
        const sign = signers.get(of) ?? createSigner(region, service);
        signers.set(of, sign);
        expect(sign({ host, target, body }, credentials, now)).toEqual(added);
      },
    ),
    { numRuns: 10_000 },
  );
});

test('the signature changes with the day and the credentials', () => {
  const sign = createSigner('eu-central-1');
  const request = { host: 'h', target: 't', body: '{}' };
  const day = new Date('2026-11-22T23:59:59Z');
  const ours = { accessKeyId: 'A', secretAccessKey: 's' };
  const signatures = [
    sign(request, ours, day),
    sign(request, ours, new Date('2026-11-23T00:00:00Z')),
    sign(request, { ...ours, secretAccessKey: 't' }, day),
    sign(request, { ...ours, sessionToken: 'x' }, day),
    sign(request, ours, day),
  ].map(({ authorization }) => authorization);
  expect(signatures[4]).toBe(signatures[0]);
  expect(new Set(signatures).size).toBe(4);
});
