import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { limits } from '#shared/model/limits.ts';
import { doneAfter, lostAnswers, lostCalls, resetAfter, resetBefore } from '../faults/fault.ts';
import type { Call } from '../support/call.ts';
import { expectProblem } from '../support/expectations.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { counted, times } from './many.ts';

const { faults, world } = await startFaultyWorld();
const { basic } = world.project;

const withKey = (call: Call, key: string): Call => ({
  ...call,
  headers: { 'idempotency-key': key },
});
const request = (method: string, path: string, body?: object): Call => ({
  method,
  path,
  auth: basic,
  body,
});
const owner = await world.user({ verified: true });
const creating = (): Call =>
  request('POST', '/workspaces', { name: randomUUID(), owner_id: owner.uid });
const namesOf = async () => {
  const { body } = await world.call(request('GET', `/workspaces?user_id=${owner.uid}&limit=100`));
  return body.result.map(({ name }: { name: string }) => name);
};
/** The number of workspaces that a request created. */
const madeBy = async ({ body }: Call) =>
  (await namesOf()).filter((name: string) => name === (body as { name: string }).name).length;

test('100 concurrent requests with one key are applied once, and all successful responses are equal', async () => {
  const call = creating();
  const key = randomUUID();
  const answers = await times(100, () => world.call(withKey(call, key)));
  const done = answers.filter(({ status }) => status === 201);
  expect(new Set(done.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  const firsts = done.filter(({ headers }) => headers.get('idempotency-replayed') === null);
  // A request that must be retried may have been the first.
  expect(firsts.length).toBeLessThanOrEqual(1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectProblem(answer, 'request_in_progress');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  expect(Object.keys(counted(answers)).toSorted()).toEqual(
    ['201', 'request_in_progress'].slice(0, Object.keys(counted(answers)).length),
  );
  const again = await world.call(withKey(call, key));
  expect([again.status, again.body]).toEqual([201, done[0]?.body]);
  expect(await madeBy(call)).toBe(1);
});

describe.each(['PutItem', 'TransactWriteItems'])('%s', (operation) => {
  test.each(Object.entries({ ...lostCalls, ...lostAnswers }))(
    '%s: the request is applied once',
    async (_, fault) => {
      const call = creating();
      const key = randomUUID();
      faults.inject(fault, { when: (each) => each.operation === operation });
      const first = await world.call(withKey(call, key));
      expect(first.status).toBe(201);
      const again = await world.call(withKey(call, key));
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await madeBy(call)).toBe(1);
    },
  );

  test.each([
    ['was done', resetAfter],
    ['was not done', resetBefore],
  ] as const)(
    'a table that stops responding after the write %s: a retry applies the request once',
    async (_, fault) => {
      const call = creating();
      const key = randomUUID();
      faults.inject(fault, { when: (each) => each.operation === operation, times: 1_000 });
      expectProblem(await world.call(withKey(call, key)), 'temporarily_unavailable');
      faults.reset();
      await expect
        .poll(async () => (await world.call(withKey(call, key))).status, {
          timeout: 15_000,
          interval: 500,
        })
        .toBe(201);
      expect(await madeBy(call)).toBe(1);
    },
  );
});

describe('a refused request is not recorded', () => {
  test('if only its write detects the refusal', async () => {
    const project = await world.newProject();
    const create = (url: string): Call => ({
      ...request('POST', '/webhooks', { url }),
      auth: project.basic,
    });
    const made = [];
    for (let i = 0; i < limits.webhooksPerProject; i += 1)
      made.push(await world.call(create(`https://example.com/${i}`)));
    const key = randomUUID();
    const one = withKey(create('https://example.com/more'), key);
    expectProblem(await world.call(one), 'webhook_limit_reached');
    const { webhook_id } = made[0]?.body ?? {};
    await world.call('DELETE', `/webhooks/${webhook_id}`, project.basic);
    const { status, headers } = await world.call(one);
    expect([status, headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  test('if the changed resource is deleted before its write', async () => {
    const { workspace_id } = await world.workspace({ owner });
    const path = `/workspaces/${workspace_id}`;
    faults.inject(
      doneAfter(() => world.call(request('DELETE', path))),
      {
        when: ({ operation, body }) =>
          operation === 'TransactWriteItems' && /IDEMPOTENCY/.test(JSON.stringify(body)),
      },
    );
    const answer = await world.call(withKey(request('PUT', path, { name: 'New' }), randomUUID()));
    expectProblem(answer, 'not_found');
  });
});

test.each([
  ['the maximum number of invitations', { pending_member_count: 1_000 }, 200],
  [
    'sent the maximum number of mails of the day',
    { mail_day: '9999-01-01', mailed_count: 2_000 },
    429,
  ],
] as const)(
  'a workspace that has %s refuses several invitations with the same outcome',
  async (_, counts, status) => {
    const { workspace_id } = await world.workspace({ owner });
    await world.table.update({ pk: `WS#${workspace_id}`, sk: 'WS' }, counts);
    const invitations = [1, 2].map((i) => ({
      email: `new${i}-${workspace_id}@example.com`,
      role: 'member',
    }));
    const call = request('POST', `/workspaces/${workspace_id}/invitations`, { invitations });
    const answer = await world.call(withKey(call, randomUUID()));
    const full = { outcome: 'invitation_limit_reached' };
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body.results).toMatchObject([full, full]);
  },
);

test('a redelivery is scheduled once, even if its response could not be recorded', async () => {
  const { basic: auth } = await world.newProject();
  const as = (call: Call): Call => ({ ...call, auth });
  const { body } = await world.call(
    as(request('POST', '/webhooks', { url: 'https://example.com' })),
  );
  const now = new Date().toISOString();
  const path = `/webhooks/${body.webhook_id}/redeliver`;
  const call = as(withKey(request('POST', path, { since: now, until: now }), randomUUID()));
  const before = world.schedules.waiting().length;
  faults.inject(resetBefore, {
    when: ({ operation, body: sent }) =>
      operation === 'UpdateItem' && /IDEMPOTENCY/.test(JSON.stringify(sent)),
    times: 1_000,
  });
  expectProblem(await world.call({ ...call, auth }), 'temporarily_unavailable');
  faults.reset();
  await expect
    .poll(async () => (await world.call({ ...call, auth })).status, {
      timeout: 15_000,
      interval: 500,
    })
    .toBe(202);
  expect(world.schedules.waiting().length - before).toBeLessThanOrEqual(1);
});

test('a change includes another change that was made in between', async () => {
  const { workspace_id } = await world.workspace({ owner });
  const path = `/workspaces/${workspace_id}`;
  faults.inject(
    doneAfter(() => world.call(request('PUT', path, { description: 'Another' }))),
    {
      when: ({ operation, body }) =>
        operation === 'TransactWriteItems' && /IDEMPOTENCY/.test(JSON.stringify(body)),
    },
  );
  const key = randomUUID();
  const answer = await world.call(withKey(request('PUT', path, { name: 'New' }), key));
  expect(answer.body).toMatchObject({ name: 'New', description: 'Another' });
  expect((await world.call(request('GET', path))).body).toEqual(answer.body);
  expect((await world.call(withKey(request('PUT', path, { name: 'New' }), key))).body).toEqual(
    answer.body,
  );
});

test('a retry of more invitations than fit into one transaction gets the same response', async () => {
  const { workspace_id } = await world.workspace({ owner });
  const invitations = Array.from({ length: 45 }, (_, i) => ({
    email: `row${i}-${workspace_id}@example.com`,
    role: 'member',
  }));
  const body = { invitations, send_mail: false };
  const call = withKey(
    request('POST', `/workspaces/${workspace_id}/invitations`, body),
    randomUUID(),
  );
  const first = await world.call(call);
  expect([first.status, first.body.invited]).toEqual([200, 45]);
  const again = await world.call(call);
  expect([again.status, again.body]).toEqual([200, first.body]);
});

test('a session with a key beyond the maximum number ends the oldest session', async () => {
  const { uid } = await world.user();
  for (let i = 1; i < limits.sessionsPerUser; i += 1) await world.session(uid);
  const call = withKey(request('POST', '/sessions', { uid }), randomUUID());
  expect((await world.call(call)).status).toBe(201);
  expect((await world.call(call)).headers.get('idempotency-replayed')).toBe('true');
  const { body } = await world.call(request('GET', `/sessions?user_id=${uid}`));
  expect(body.total).toBe(limits.sessionsPerUser);
});

test('the table contains neither the key nor the response in plain text', async () => {
  const key = randomUUID();
  const { body } = await world.call(withKey(request('POST', '/sessions', { uid: owner.uid }), key));
  const stored = await world.table.all();
  const records = stored.filter(({ pk }) => String(pk).startsWith('IDEMPOTENCY#'));
  expect(records.length).toBeGreaterThan(0);
  const text = records
    .map((item) =>
      JSON.stringify(item, (_, value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
      ),
    )
    .join('\n');
  for (const secret of [key, body.access_token, body.refresh_token, body.uid])
    expect(text.includes(secret as string)).toBe(false);
});
