/** @module-tag alone */
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { invoke } from '../../../local/aws/lambda.ts';
import { startSecrets } from '../../../local/aws/secrets-manager.ts';
import { fromSource } from '../../../local/load.ts';
import { exception } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { serve } from '../../support/serve.ts';

type Told = { Status: string; Reason?: string; [field: string]: unknown };

// Secrets as a stack creates them: random text, no key yet.
const names = ['made', 'late', 'refused', 'kept'];
const table = await openFaultyTable();
const secrets = await startSecrets('rotated', { plain: names });
process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] = secrets.endpoint;
const handler = await fromSource('keys.rotate');

/** Emulates the URL at which CloudFormation waits for the response. */
const responses: Told[] = [];
let types: (string | undefined)[] = [];
let status = 200;
const address = await serve(async (request, response) => {
  types.push(request.headers['content-type']);
  if (request.method === 'PUT') responses.push(JSON.parse(await text(request)));
  response.writeHead(status).end();
});

beforeEach(() => {
  responses.length = 0;
  types = [];
});
afterAll(() => secrets.close());

const asked = { StackId: 'stack', RequestId: randomUUID(), LogicalResourceId: 'FirstKey' };

/** Sends CloudFormation's request, and returns the response that it receives. */
async function deploy(RequestType: string, SecretId: string, time = 60_000): Promise<Told> {
  const event = {
    ...asked,
    RequestType,
    ResponseURL: `${address}/?signed`,
    ResourceProperties: { SecretId },
  };
  await invoke('keys.rotate', handler, event, time);
  expect(responses).toHaveLength(1);
  return responses[0] as Told;
}

const client = new SecretsManagerClient({
  endpoint: secrets.endpoint,
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
async function valueOf(SecretId: string): Promise<string> {
  const answer = await client.send(new GetSecretValueCommand({ SecretId }));
  return answer.SecretString ?? '';
}

test('a creation creates the key and reports success to CloudFormation', async () => {
  expect(await deploy('Create', 'made')).toEqual({
    ...asked,
    Status: 'SUCCESS',
    PhysicalResourceId: 'first-key',
  });
  // The URL's signature is for a request without a content type.
  expect(types).toEqual([undefined]);
  expect(JSON.parse(await valueOf('made'))).toMatchObject({
    kid: expect.any(String),
    next: { kid: expect.any(String) },
    refresh_secret: expect.any(String),
  });
  const published = table.calls.filter((call) => call.text.includes('KEY#'));
  expect(published.length).toBeGreaterThan(0);
});

test('a creation keeps a key that exists', async () => {
  await deploy('Create', 'kept');
  const before = await valueOf('kept');
  responses.length = 0;
  expect(await deploy('Create', 'kept')).toMatchObject({ Status: 'SUCCESS' });
  expect(await valueOf('kept')).toBe(before);
});

test('a creation waits for a role that is not effective everywhere yet', async () => {
  table.inject(exception('AccessDeniedException'), { times: 2 });
  expect(await deploy('Create', 'late')).toMatchObject({ Status: 'SUCCESS' });
  expect(JSON.parse(await valueOf('late'))).toHaveProperty('kid');
});

test('a creation that fails fails the deployment, with the cause', async () => {
  const before = await valueOf('refused');
  table.inject(exception('AccessDeniedException'), { times: 1_000 });
  expect(await deploy('Create', 'refused', 16_000)).toEqual({
    ...asked,
    Status: 'FAILED',
    PhysicalResourceId: 'first-key',
    Reason: 'The first signing key was not created. AccessDeniedException: AccessDeniedException',
  });
  expect(await valueOf('refused')).toBe(before);
});

test.each(['Update', 'Delete'])('%s changes nothing', async (type) => {
  const before = await valueOf('refused');
  expect(await deploy(type, 'refused')).toMatchObject({ Status: 'SUCCESS' });
  expect(await valueOf('refused')).toBe(before);
  expect(table.calls).toEqual([]);
});

test('the invocation fails if CloudFormation refuses its response', async () => {
  status = 403;
  await expect(deploy('Delete', 'refused')).rejects.toThrow('responded with 403');
});
