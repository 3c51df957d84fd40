/** @module-tag alone */
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { runInRequest } from '#shared/db/request-context.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { serve } from '../../support/serve.ts';
import { pass } from '../../support/started.ts';

/** The successive responses of Secrets Manager; the last one repeats. */
let answers: ((response: ServerResponse) => void)[] = [];
let asked = 0;
const names: (string | undefined)[] = [];
const url = await serve((request, response) => {
  // The SDK would adjust its clock to this header, but these tests change the clock.
  response.sendDate = false;
  void text(request).then((body) => {
    names.push((JSON.parse(body) as { SecretId?: string }).SecretId);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    asked += 1;
    answer?.(response);
  });
});
Object.assign(process.env, {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
});
// After the environment is set, because the SDK's client reads it on creation.
const { secretReader } = await import('#shared/access/secrets-manager.ts');

const holding = (SecretString?: string) => (response: ServerResponse) =>
  response.end(JSON.stringify({ SecretString }));
const failing = (status: number, name: string) => (response: ServerResponse) =>
  response.writeHead(status).end(JSON.stringify({ __type: name }));

beforeEach(() => {
  asked = 0;
  pass(0);
});

/** A new reader with an empty cache. A text of fewer than three letters is invalid. */
function reader(budget = 2_500) {
  const read = secretReader(
    () => 'a-secret',
    (found) => (found.length < 3 ? undefined : { text: found }),
  );
  return () => runInRequest('test', budget, read);
}
/** Unavailable, with a cause that names the secret, and with what Secrets Manager said. */
const unreadable = (name: string) =>
  unavailable({ message: 'a-secret', cause: expect.objectContaining({ name }) });
const unavailable = (cause: object = {}) =>
  expect.objectContaining({
    ...{ code: 'temporarily_unavailable', retryAfter: 1 },
    cause: expect.objectContaining(cause),
  });

describe('a secret', () => {
  test('is read once, and again after exactly five minutes', async () => {
    answers = [holding('one'), holding('two')];
    const read = reader();
    expect(await read()).toEqual({ text: 'one' });
    pass(lifetimes.secretCache * 1_000 - 1);
    expect(await read()).toEqual({ text: 'one' });
    expect(asked).toBe(1);
    pass(1);
    expect(await read()).toEqual({ text: 'two' });
    expect(asked).toBe(2);
    expect(names.slice(-2)).toEqual(['a-secret', 'a-secret']);
  });

  test('is read once for concurrent callers', async () => {
    answers = [holding('one'), holding('two')];
    const read = reader();
    expect(await Promise.all([read(), read()])).toEqual([{ text: 'one' }, { text: 'one' }]);
    expect(asked).toBe(1);
  });

  test.each([
    ['too short', 'no'],
    ['bytes', undefined],
  ])('that is %s is temporarily unavailable, as one that was never rotated', async (_, content) => {
    answers = [holding(content), holding('good')];
    const read = reader();
    const message = 'a-secret: Has its rotation run?';
    await expect(read()).rejects.toEqual(unavailable({ message }));
    // The test does not wait five minutes for it.
    expect(await read()).toEqual({ text: 'good' });
  });

  test('that Secrets Manager refuses is temporarily unavailable, with the cause in the log', async () => {
    answers = [failing(400, 'AccessDeniedException'), holding('good')];
    const read = reader();
    await expect(read()).rejects.toEqual(unreadable('AccessDeniedException'));
    expect(await read()).toEqual({ text: 'good' });
  });

  test('is tried three times if Secrets Manager fails', async () => {
    answers = [failing(500, 'InternalServiceError')];
    await expect(reader()()).rejects.toEqual(unavailable());
    expect(asked).toBe(3);
  });

  test("is read by the SDK's own client if the SDK's transport is configured", async () => {
    vi.stubEnv('DYNAMODB_TRANSPORT', 'sdk');
    answers = [failing(500, 'InternalServiceError'), holding('good')];
    const read = reader();
    expect(await read()).toEqual({ text: 'good' });
    answers = [failing(400, 'AccessDeniedException')];
    pass(lifetimes.secretCache * 1_000);
    await expect(read()).rejects.toEqual(unreadable('AccessDeniedException'));
    vi.unstubAllEnvs();
  });

  test('is not waited for beyond the deadline of the request', async () => {
    answers = [() => {}, holding('good')];
    await expect(reader(50)()).rejects.toEqual(unreadable('AbortError'));
  });

  test('that was read in the meantime stays cached when an older read fails', async () => {
    const first = Promise.withResolvers<ServerResponse>();
    answers = [first.resolve, holding('new'), holding('newer')];
    const read = reader();
    const old = read();
    const waiting = await first.promise;
    pass(lifetimes.secretCache * 1_000);
    expect(await read()).toEqual({ text: 'new' });
    failing(400, 'AccessDeniedException')(waiting);
    await expect(old).rejects.toEqual(unavailable());
    expect(await read()).toEqual({ text: 'new' });
  });
});
