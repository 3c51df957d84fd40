/** @module-tag alone */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { SecretsManagerRotationEvent } from 'aws-lambda';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type Secrets, startSecrets } from '../../local/aws/secrets-manager.ts';
import { newFolder } from '../support/folder.ts';
import { local } from '../support/local-calls.ts';

const folder = newFolder();
const file = join(folder, 'secret.json');
const SecretId = 'name';
const plain = ['plain'];
const open: Secrets[] = [];
let secrets: Secrets;
let client: SecretsManagerClient;

async function start(path?: string) {
  secrets = await startSecrets(SecretId, { plain, file: path });
  open.push(secrets);
  client = new SecretsManagerClient({ endpoint: secrets.endpoint, ...local });
}
beforeEach(() => start());
afterAll(() => Promise.all(open.map((each) => each.close())));

const get = async (version: object = {}) =>
  (await client.send(new GetSecretValueCommand({ SecretId, ...version }))).SecretString;
const put = (token: string, SecretString: string, ...VersionStages: string[]) =>
  client.send(
    new PutSecretValueCommand({
      SecretId,
      ClientRequestToken: token,
      SecretString,
      ...(VersionStages.length > 0 && { VersionStages }),
    }),
  );
const stages = async () =>
  (await client.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages;

/** A regular rotation function. */
async function rotation({
  Step,
  SecretId: id,
  ClientRequestToken: token,
}: SecretsManagerRotationEvent) {
  steps.push(Step);
  if (Step === 'createSecret') await put(token, `value of ${id}`, 'AWSPENDING');
  if (Step !== 'finishSecret') return;
  const current = Object.entries((await stages()) ?? {}).find(([, at]) =>
    at.includes('AWSCURRENT'),
  );
  await client.send(
    new UpdateSecretVersionStageCommand({
      SecretId,
      VersionStage: 'AWSCURRENT',
      MoveToVersionId: token,
      RemoveFromVersionId: current?.[0],
    }),
  );
}
const steps: string[] = [];

test('a new secret contains random text, as in the deployed stack', async () => {
  expect(await get()).toMatch(/^\S{32}$/);
  expect(secrets.rotated()).toBe(false);
});

test('a rotation runs the four steps and keeps the old value as the previous version', async () => {
  const before = await get();
  await secrets.rotate(rotation);
  expect(steps.splice(0)).toEqual(['createSecret', 'setSecret', 'testSecret', 'finishSecret']);
  expect(secrets.rotated()).toBe(true);
  expect(await get()).toMatch(/^value of arn:aws:secretsmanager:local:/);
  expect(await get({ VersionStage: 'AWSPREVIOUS' })).toBe(before);
});

test('a rotation that fails half-way keeps the current value, and the next rotation succeeds', async () => {
  const before = await get();
  const failing = async (event: SecretsManagerRotationEvent) => {
    if (event.Step === 'testSecret') throw new Error('no');
    await rotation(event);
  };
  await expect(secrets.rotate(failing)).rejects.toThrow('no');
  expect(await get()).toBe(before);
  await secrets.rotate(rotation);
  expect(await get()).not.toBe(before);
  expect(Object.keys((await stages()) ?? {})).toHaveLength(2);
});

test('a rotation function that does not promote the pending version is an error', async () => {
  await expect(secrets.rotate(async () => {})).rejects.toThrow(/did not make the pending version/);
});

test('a version can be put again with the same value, and not with another', async () => {
  const token = randomUUID();
  await put(token, 'one');
  await put(token, 'one');
  expect(await get()).toBe('one');
  await expect(put(token, 'two')).rejects.toMatchObject({ name: 'ResourceExistsException' });
});

test('a missing secret, version or stage is a ResourceNotFoundException', async () => {
  const missing = { name: 'ResourceNotFoundException' };
  await expect(get({ VersionStage: 'AWSPENDING' })).rejects.toMatchObject(missing);
  await expect(get({ VersionId: randomUUID() })).rejects.toMatchObject(missing);
  await expect(get({ SecretId: 'other' })).rejects.toMatchObject(missing);
});

test('a stage moves only from the version that has it', async () => {
  const token = randomUUID();
  await put(token, 'next', 'AWSPENDING');
  const move = new UpdateSecretVersionStageCommand({
    SecretId,
    VersionStage: 'AWSCURRENT',
    MoveToVersionId: token,
    RemoveFromVersionId: randomUUID(),
  });
  await expect(client.send(move)).rejects.toMatchObject({ name: 'InvalidParameterException' });
});

test('a rotation changes the rotating secret only, not the plain ones', async () => {
  const text = await get({ SecretId: 'plain' });
  expect(text).toMatch(/^\S{32}$/);
  expect(await get({ SecretId: 'arn:aws:secretsmanager:local:000000000000:secret:plain' })).toBe(
    text,
  );
  expect(await get()).not.toBe(text);
  await secrets.rotate(rotation);
  expect(await get({ SecretId: 'plain' })).toBe(text);
});

test('a file keeps the secrets, readable by its owner only', async () => {
  await start(file);
  await secrets.rotate(rotation);
  const value = await get();
  const other = await get({ SecretId: 'plain' });
  await secrets.close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['secret.json']);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject([
    { name: SecretId, rotated: true },
    { name: 'plain', rotated: false },
  ]);
  await start(file);
  expect(await get()).toBe(value);
  expect(await get({ SecretId: 'plain' })).toBe(other);
  expect(secrets.rotated()).toBe(true);
});

test('a file of an earlier release with a single secret still works, and gets the missing secrets', async () => {
  const before = {
    name: SecretId,
    rotated: true,
    versions: { [randomUUID()]: { value: 'kept', stages: ['AWSCURRENT'] } },
  };
  writeFileSync(file, JSON.stringify(before));
  await start(file);
  expect(await get()).toBe('kept');
  expect(secrets.rotated()).toBe(true);
  const further = await get({ SecretId: 'plain' });
  await secrets.close();
  await start(file);
  expect(await get()).toBe('kept');
  expect(await get({ SecretId: 'plain' })).toBe(further);
});

test('refuses a file with an unknown secret', async () => {
  writeFileSync(file, JSON.stringify([{ name: 'foreign', rotated: false, versions: {} }]));
  await expect(start(file)).rejects.toThrow(/contains other secrets than name and plain\.$/);
});
