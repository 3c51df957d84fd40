import { describe, expect, test } from 'vitest';
import type { Caller } from '#shared/access/caller.ts';
import { getItem } from '#shared/db/batch-loader.ts';
import { change, del, noChange, put, type Write } from '#shared/db/change.ts';
import { commit } from '#shared/db/commit.ts';
import { keys } from '#shared/db/keys.ts';
import { begin } from '#shared/http/idempotency.ts';
import { ApiError } from '#shared/model/errors.ts';
import { sha256 } from '#shared/model/ids.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';
import { pass } from '../../support/started.ts';

const faults = await openFaultyTable();
const asked = { operation: 'a.b', params: {}, query: {}, body: { name: 'Ada' } };
const other = { ...asked, body: { name: 'Bob' } };
const backend = (project_id: string, secret_id = 'x') =>
  ({ kind: 'project', project_id, secret_id }) as Caller;
const person = (uid: string, session_id = 's') =>
  ({ kind: 'person', project_id: 'demo', uid, session_id }) as Caller;
const refresh = (token: string): Caller => ({ kind: 'refresh', token });

let count = 0;
const newKey = () => {
  count += 1;
  return `key-of-this-test-${count}`;
};

type Writes = Record<string, Write>;
type Options = { caller?: Caller | undefined; ask?: typeof asked; dead?: Error; writes?: Writes };

/** Starts a request and completes it, unless it is a replay; returns the outcome or the error. */
function once(key: string, answer: string, { caller, ask = asked, dead, writes }: Options = {}) {
  return request(async (context) => {
    if (dead) {
      context.sessionVerified = Promise.reject(dead);
      context.sessionVerified.catch(() => {});
    }
    try {
      const begun = await begin(key, caller, ask);
      if ('replay' in begun) return `again: ${begun.replay}`;
      await commit(change({ ...writes }, answer), begun.record(String));
      return `done: ${answer}`;
    } catch (error) {
      return outcomeOf(error);
    }
  });
}

const outcomeOf = (error: unknown): string =>
  error instanceof ApiError ? `${error.code} ${error.retryAfter ?? ''}`.trim() : String(error);

/** Starts a request without completing it. */
const claimed = async (key: string, caller?: Caller) => {
  const begun = await request(() => begin(key, caller, asked));
  if ('replay' in begun) throw new Error(begun.replay);
  const commitTo = (answer: string) => commit(noChange(answer), begun.record(String));
  return {
    release: () => request(begun.release),
    finish: (answer: string) =>
      request(() => commitTo(answer).then(() => `done: ${answer}`, outcomeOf)),
  };
};

describe('a request with a key', () => {
  test('is done once, and a retry gets the same response', async () => {
    const key = newKey();
    expect(await once(key, 'one')).toBe('done: one');
    expect(await once(key, 'two')).toBe('again: one');
    expect(await once(newKey(), 'two')).toBe('done: two');
  });

  const parts = ['operation', 'params', 'query', 'body'];
  test.each(parts)('is another request if its %s differs', async (part) => {
    const key = newKey();
    await once(key, 'one');
    const ask = { ...asked, [part]: part === 'operation' ? 'a.c' : { other: 1 } };
    expect(await once(key, 'two', { ask })).toBe('idempotency_key_reused');
  });

  test('is the same whatever the order of its members', async () => {
    const key = newKey();
    await once(key, 'one', { ask: { ...asked, body: { name: 'Ada', x: 1 } as never } });
    const ask = { ...asked, body: { x: 1, name: 'Ada' } as never };
    expect(await once(key, 'two', { ask })).toBe('again: one');
  });

  test('is refused while an equal one is in progress, and takes over after its time', async () => {
    const key = newKey();
    const left = await claimed(key);
    const { idempotencyClaim } = lifetimes;
    pass(0);
    const refused = await once(key, 'two');
    expect(refused).toMatch(/^request_in_progress \d+$/);
    const seconds = Number(refused.split(' ')[1]);
    expect(seconds).toBeGreaterThan(idempotencyClaim - 3);
    expect(seconds).toBeLessThanOrEqual(idempotencyClaim);
    expect(await once(key, 'two', { ask: other })).toBe('idempotency_key_reused');
    pass(idempotencyClaim * 1_000 - 2_600);
    expect(await once(key, 'two')).toMatch(/^request_in_progress [123]$/);
    pass(3_000);
    expect(await once(key, 'two')).toBe('done: two');
    expect(await left.finish('one')).toBe('request_in_progress 1');
    expect(await once(key, 'three')).toBe('again: two');
  });

  test('releases the key if it is refused', async () => {
    const key = newKey();
    await (await claimed(key)).release();
    expect(await once(key, 'two', { ask: other })).toBe('done: two');
  });

  test('is forgotten when its record has expired', async () => {
    const key = newKey();
    await once(key, 'one');
    pass(lifetimes.idempotencyRecord * 1_000 + 1_000);
    expect(await once(key, 'two', { ask: other })).toBe('done: two');
  });
});

describe('a key', () => {
  const callers: Record<string, Caller | undefined> = {
    'no caller': undefined,
    'a backend': backend('demo'),
    "another project's": backend('other'),
    'a user': person('ada'),
    'another user': person('bob'),
    'a session to be renewed': refresh('rt_1'),
    'another such session': refresh('rt_2'),
  };

  test('belongs to one caller, and is another key for every other', async () => {
    const key = newKey();
    for (const [name, caller] of Object.entries(callers))
      expect(await once(key, name, { caller })).toBe(`done: ${name}`);
    for (const [name, caller] of Object.entries(callers))
      expect(await once(key, 'again', { caller })).toBe(`again: ${name}`);
  });

  test('is shared by all secrets of a project and by all sessions of a user', async () => {
    const key = newKey();
    await once(key, 'one', { caller: backend('demo', 'x') });
    expect(await once(key, 'two', { caller: backend('demo', 'y') })).toBe('again: one');
    await once(key, 'one', { caller: person('ada', 's') });
    expect(await once(key, 'two', { caller: person('ada', 't') })).toBe('again: one');
  });

  test.each([
    ['no caller', 'PUBLIC#'],
    ['a backend', 'PROJECT#demo'],
    ['a user', 'USER#ada'],
  ])('is stored under the name of %s', async (name, holder) => {
    const key = newKey();
    await once(key, 'one', { caller: callers[name] });
    const item = await request(() => getItem(keys.idempotency(holder, key)));
    expect(item).toMatchObject({ answer: expect.any(Uint8Array) });
  });
});

describe('a key without a caller', () => {
  test('belongs to the project that the request names, if it names one', async () => {
    const key = newKey();
    for (const body of [undefined, {}, { project_id: 'demo' }, { project_id: 'other' }]) {
      const ask = { ...asked, body: body as never };
      const known = body && !('project_id' in body);
      expect(await once(key, 'one', { ask })).toBe(known ? 'idempotency_key_reused' : 'done: one');
    }
    const named = keys.idempotency('PUBLIC#demo', key);
    await request(async (context) => {
      expect(await getItem(named)).toMatchObject({ answer: expect.any(Uint8Array) });
      await begin(key, undefined, { ...asked, body: { project_id: 'demo' } });
      // By which the log identifies repetitions.
      expect(context.idempotencyId).toBe(sha256(named.pk));
    });
  });
});

describe('a user who ended their own session', () => {
  const dead = new ApiError('unauthenticated', { reason: 'of this test' });
  const session = keys.session('ada', 's');
  const caller = person('ada', 's');
  const ending = { session: del(session) };

  test('gets the response again, but only for the same request', async () => {
    const key = newKey();
    const more = { other: put({ pk: 'OTHER', sk: key }) };
    const writes = { ...ending, ...more };
    expect(await once(key, 'ended', { caller, writes })).toBe('done: ended');
    expect(await once(key, 'two', { caller, dead })).toBe('again: ended');
    expect(await once(key, 'two', { caller, dead, ask: other })).toBe('unauthenticated');
    expect(await once(newKey(), 'two', { caller, dead })).toBe('unauthenticated');
  });

  test.each([
    ['without a write', undefined],
    ['with an empty change', {}],
    ["by ending another user's session", { it: del(keys.session('bob', 's')) }],
    ['by ending another session', { it: del(keys.session('ada', 't')) }],
    ['by writing the session', { it: put({ ...session, uid: 'ada' }) }],
  ])('is unauthenticated if the request ended otherwise: %s', async (_, writes) => {
    const key = newKey();
    expect(await once(key, 'one', { caller, ...(writes && { writes }) })).toBe('done: one');
    expect(await once(key, 'two', { caller, dead })).toBe('unauthenticated');
    expect(await once(key, 'two', { caller })).toBe('again: one');
  });

  test('is unauthenticated while the request is in progress', async () => {
    const key = newKey();
    await claimed(key, caller);
    expect(await once(key, 'two', { caller, dead })).toBe('unauthenticated');
  });

  test('must be a user: a backend has no session to end', async () => {
    const key = newKey();
    const by = { caller: backend('demo') };
    expect(await once(key, 'one', { ...by, writes: ending })).toBe('done: one');
    expect(await once(key, 'two', { ...by, dead })).toBe('unauthenticated');
  });
});

test('a failure of the table is returned as an error', async () => {
  faults.inject(async ({ response }) => response.destroy(), { times: 10 });
  const begun = request(() => begin(newKey(), undefined, asked), 300);
  await expect(begun).rejects.toMatchObject({ name: expect.any(String) });
});
