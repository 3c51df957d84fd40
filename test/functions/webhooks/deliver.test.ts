import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { aTime } from '../../support/expectations.ts';
import { pass } from '../../support/started.ts';
import { webhookScene } from '../../support/webhooks.ts';
import { startWorld, type TestProject } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
let project: TestProject;
const { receiver, waits, make, event, deliver, send, attempts, get } = await webhookScene(
  world,
  (made) => (project = made),
);

const ours = (given: Parameters<typeof event>[0] = {}) =>
  event({ project_id: project.project_id, ...given });
const deliveryOf = (webhook_id: string, event_id: string) =>
  world.table.get(keys.delivery(webhook_id, event_id));
const verified = (secret: string, { headers, body }: { headers: object; body: string }) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

describe('an event', () => {
  test('arrives with its id and a valid signature of its exact bytes', async () => {
    const { url, received } = receiver.at();
    const { secret, ...webhook } = await make(url, { project });
    const sent = ours({ data: { user_id: 'ü €', n: 1.5 } });
    await deliver(sent);
    const [first, ...others] = received();
    expect(others).toEqual([]);
    expect(verified(secret, first!)).toEqual(sent);
    expect(first!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'identity-workspace-webhooks',
      'webhook-id': sent.id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    });
    expect(await attempts(webhook, project)).toEqual([
      {
        event_id: sent.id,
        type: 'user.created',
        attempt: 1,
        attempted_at: aTime(),
        status_code: 204,
      },
    ]);
    expect(await get(webhook, project)).toEqual(webhook);
  });

  test('goes to every webhook of its project for its type, and no other', async () => {
    const other = await world.newProject();
    const [all, some, rest, foreign] = [receiver.at(), receiver.at(), receiver.at(), receiver.at()];
    await make(all.url, { project });
    await make(some.url, { project, event_types: ['user.deleted', 'user.created'] });
    await make(rest.url, { project, event_types: ['user.deleted'] });
    await make(foreign.url, { project: other });
    await deliver(ours());
    const counts = [all, some, rest, foreign].map(({ received }) => received().length);
    expect(counts).toEqual([1, 1, 0, 0]);
  });

  test('is sent once, even if it is delivered repeatedly and concurrently', async () => {
    const { url, received } = receiver.at();
    const webhook = await make(url, { project });
    const sent = ours();
    await Promise.all(Array.from({ length: 8 }, () => deliver(sent)));
    pass(3_600_000);
    await deliver(sent);
    expect(received()).toHaveLength(1);
    expect(await attempts(webhook, project)).toHaveLength(1);
  });

  test('from another source, or of a project without webhooks, is not sent', async () => {
    const { url, received } = receiver.at();
    await make(url, { project });
    await send({ source: 'somebody.else', 'detail-type': 'user.created', detail: ours() });
    await deliver(ours({ project_id: 'nowhere' }));
    expect(received()).toEqual([]);
  });

  test('reaches other webhooks if one receiver fails', async () => {
    const [down, up] = [receiver.at(500), receiver.at()];
    await make(down.url, { project });
    await make(up.url, { project });
    await deliver(ours());
    expect([down.received().length, up.received().length]).toEqual([2, 1]);
  });

  test('arrives through the bus after a change', async () => {
    const { url, received } = receiver.at();
    await make(url, { project, event_types: ['workspace.created'] });
    const owner = await world.user({ project });
    const { workspace_id } = await world.workspace({ owner });
    await world.drainStream();
    const bodies = received().map(({ body }) => JSON.parse(body));
    expect(bodies).toMatchObject([{ type: 'workspace.created', workspace_id }]);
  });

  test('is stored only until it is delivered', async () => {
    const { url, answer } = receiver.at(500);
    const { webhook_id } = await make(url, { project });
    const sent = ours();
    await deliver(sent);
    expect(await deliveryOf(webhook_id, sent.id)).toMatchObject({
      state: 'pending',
      body: expect.any(String),
    });
    answer(200);
    pass(330_000);
    await world.schedules.runDue();
    expect(await deliveryOf(webhook_id, sent.id)).toEqual({
      ...keys.delivery(webhook_id, sent.id),
      webhook_id,
      event_id: sent.id,
      project_id: project.project_id,
      type: 'user.created',
      round: 1,
      attempt: 3,
      state: 'delivered',
      created_at: aTime(),
      expires_at: expect.any(Number),
      write_id: expect.any(String),
    });
  });
});

describe('a failed attempt', () => {
  /** Seconds between the attempts. */
  const timetable = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];

  test('is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and not after that', async () => {
    const { url, received } = receiver.at(500);
    const webhook = await make(url, { project });
    const sent = ours();
    await deliver(sent);
    expect(waits.map((wait) => Math.round(wait / 1_000))).toEqual([5]);
    for (let attempt = 3; attempt <= 8; attempt += 1) {
      const [next, ...others] = world.schedules.waiting();
      expect(others).toEqual([]);
      expect(next?.input).toMatchObject({ attempt: { event_id: sent.id, round: 1, attempt } });
      // No attempt occurs before its time.
      expect(await world.schedules.runDue(next!.at - 1)).toBe(0);
      vi.useFakeTimers({ toFake: ['Date'], now: next!.at });
      expect(await world.schedules.runDue()).toBe(1);
      expect(received()).toHaveLength(attempt);
    }
    expect(world.schedules.waiting()).toEqual([]);
    expect(await deliveryOf(webhook.webhook_id, sent.id)).toMatchObject({ state: 'failed' });

    const listed = (await attempts(webhook, project)).toReversed();
    expect(listed.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    listed.forEach(({ attempted_at, next_attempt_at, status_code }, i) => {
      expect(status_code).toBe(500);
      const seconds = timetable[i];
      if (seconds === undefined) return expect(next_attempt_at).toBeUndefined();
      const wait = (Date.parse(next_attempt_at ?? '') - Date.parse(attempted_at)) / 1_000;
      expect(wait).toBeGreaterThanOrEqual(seconds);
      // The delay starts at the end of the attempt.
      expect(wait).toBeLessThan((i === 0 ? seconds : seconds * 1.05) + 1);
      return undefined;
    });
    const bodies = new Set(received().map(({ body }) => body));
    const ids = new Set(received().map(({ headers }) => headers['webhook-id']));
    expect([bodies.size, [...ids]]).toEqual([1, [sent.id]]);
    for (const each of received()) {
      // The library checks the timestamp against the clock, which is set to the time of the attempt.
      vi.setSystemTime(Number(each.headers['webhook-timestamp']) * 1_000);
      expect(verified(webhook.secret, each)).toEqual(sent);
    }
  });

  test('has no further retry once one succeeds', async () => {
    const { url, received } = receiver.at(503, 200);
    const webhook = await make(url, { project });
    await deliver(ours());
    expect(received()).toHaveLength(2);
    expect(world.schedules.waiting()).toEqual([]);
    const codes = (await attempts(webhook, project)).map(({ status_code }) => status_code);
    expect(codes).toEqual([200, 503]);
    expect(await get(webhook, project)).not.toHaveProperty('failing_since');
  });

  test.each([301, 302, 307, 308])(
    'includes a redirect with %i, which is not followed',
    async (status) => {
      const elsewhere = receiver.at();
      const { url, received } = receiver.at((response) =>
        response.writeHead(status, { location: elsewhere.url }).end(),
      );
      const webhook = await make(url, { project });
      await deliver(ours());
      expect(received()).toHaveLength(2);
      expect(elsewhere.received()).toEqual([]);
      expect(await attempts(webhook, project)).toMatchObject([
        { attempt: 2, status_code: status },
        { attempt: 1, status_code: status },
      ]);
    },
  );

  test('without a response records the reason', async () => {
    const broken = receiver.at((response) => response.destroy());
    const webhook = await make(broken.url, { project });
    await deliver(ours());
    expect((await attempts(webhook, project))[0]).toEqual({
      event_id: expect.stringMatching(/^evt-/),
      type: 'user.created',
      attempt: 2,
      attempted_at: aTime(),
      failure: 'connection_failed',
      next_attempt_at: aTime(),
    });
  });

  test('has one retry, even if its invocation is repeated', async () => {
    const { url, received } = receiver.at(500);
    await make(url, { project });
    await deliver(ours());
    const { input, at } = world.schedules.waiting()[0]!;
    vi.useFakeTimers({ toFake: ['Date'], now: at });
    await Promise.all(Array.from({ length: 6 }, () => send(input)));
    expect(received()).toHaveLength(3);
    await send(input);
    expect(received()).toHaveLength(3);
    await world.schedules.runDue();
    expect(received()).toHaveLength(3);
    expect(world.schedules.waiting()).toHaveLength(1);
  });
});

describe('an invocation that crashed', () => {
  test('during an attempt is repeated once its lease has expired, and not before', async () => {
    const { url, received } = receiver.at();
    const { webhook_id } = await make(url, { project });
    const sent = ours();
    const lease_until = new Date(Date.now() + 30_000).toISOString();
    const begun = { state: 'pending', round: 1, attempt: 1, lease_until, body: '{}' };
    const of = { webhook_id, event_id: sent.id, project_id: project.project_id, type: sent.type };
    await world.table.put({ ...keys.delivery(webhook_id, sent.id), ...of, ...begun });
    await deliver(sent);
    expect(received()).toEqual([]);
    pass(31_000);
    await Promise.all([deliver(sent), deliver(sent)]);
    expect(received()).toHaveLength(1);
    expect(await deliveryOf(webhook_id, sent.id)).toMatchObject({ state: 'delivered', attempt: 1 });
  });

  test('before it scheduled the next attempt does so when it is repeated', async () => {
    const { url } = receiver.at(500);
    const webhook = await make(url, { project });
    const sent = ours();
    world.schedules.failNext({ status: 400, code: 'ValidationException' });
    await expect(deliver(sent)).rejects.toThrow('An injected fault.');
    expect(world.schedules.waiting()).toEqual([]);
    await deliver(sent);
    expect(world.schedules.waiting()).toMatchObject([{ input: { attempt: { attempt: 3 } } }]);
    expect(await attempts(webhook, project)).toHaveLength(2);
  });

  test('after it scheduled the next attempt leaves one schedule', async () => {
    const { url } = receiver.at(500);
    await make(url, { project });
    world.schedules.failNext('lose');
    await deliver(ours());
    expect(world.schedules.waiting()).toHaveLength(1);
  });
});

describe('a webhook', () => {
  const day = 86_400_000;

  test('that is disabled gets nothing, even pending retries', async () => {
    const { url, received } = receiver.at(500);
    const webhook = await make(url, { project });
    const retried = ours();
    await deliver(retried);
    await as(project).webhooks.update({ webhook_id: webhook.webhook_id, disabled: true });
    await deliver(ours());
    pass(day);
    await world.schedules.runDue();
    expect(received()).toHaveLength(2);
    expect(await deliveryOf(webhook.webhook_id, retried.id)).toMatchObject({ state: 'dropped' });
    expect(await deliveryOf(webhook.webhook_id, retried.id)).not.toHaveProperty('body');
    await as(project).webhooks.update({ webhook_id: webhook.webhook_id, disabled: false });
    await deliver(ours());
    expect(received()).toHaveLength(4);
  });

  test('that is deleted gets nothing, even pending retries', async () => {
    const { url, received } = receiver.at(500);
    const { webhook_id } = await make(url, { project });
    await deliver(ours());
    await as(project).webhooks.delete({ webhook_id });
    pass(day);
    await world.schedules.runDue();
    await deliver(ours());
    expect(received()).toHaveLength(2);
  });

  test('is disabled immediately if the receiver responds with 410', async () => {
    const { url, received } = receiver.at(410);
    const webhook = await make(url, { project });
    await deliver(ours());
    await deliver(ours());
    expect(received()).toHaveLength(1);
    expect(world.schedules.waiting()).toEqual([]);
    const { secret: _, ...made } = webhook;
    expect(await get(webhook, project)).toEqual({
      ...made,
      disabled: true,
      disabled_because: 'gone',
      disabled_at: aTime(),
    });
  });

  test('is disabled after 5 days of failures without a success, and not before', async () => {
    const { url } = receiver.at(500);
    const webhook = await make(url, { project });
    await deliver(ours());
    const { failing_since } = await get(webhook, project);
    expect(failing_since).toEqual(aTime());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(failing_since ?? '') + 5 * day - 1 });
    await deliver(ours());
    expect(await get(webhook, project)).toMatchObject({ disabled: false, failing_since });
    pass(1);
    await deliver(ours());
    // The first two attempts never disable it: possibly nothing has been sent since the last failure.
    expect(await get(webhook, project)).toMatchObject({ disabled: false });
    pass(day);
    await world.schedules.runDue();
    expect(await get(webhook, project)).toMatchObject({
      disabled: true,
      disabled_because: 'failing',
      disabled_at: new Date().toISOString(),
      failing_since,
    });
    const { webhook_id } = webhook;
    const { body } = await as(project).webhooks.update({ webhook_id, disabled: false });
    expect(body).toEqual({ ...(await get(webhook, project)), disabled: false });
    expect(body).not.toHaveProperty('failing_since');
  });
});

describe('the secret', () => {
  test('that was rotated signs beside the new one for a day', async () => {
    const { url, received } = receiver.at();
    const old = await make(url, { project });
    const { body: renewed } = await as(project).webhooks.rotateSecret({
      webhook_id: old.webhook_id,
    });
    await deliver(ours());
    const [both] = received();
    expect(both!.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const { secret } of [old, renewed]) expect(() => verified(secret, both!)).not.toThrow();
    pass(86_400_000 + 1_000);
    await deliver(ours());
    const last = received()[1]!;
    expect(last.headers['webhook-signature']).toMatch(/^v1,\S+$/);
    expect(() => verified(renewed.secret, last)).not.toThrow();
    expect(() => verified(old.secret, last)).toThrow('No matching signature found');
  });

  test('is not in the table, and differs for each webhook', async () => {
    const made = [
      await make(receiver.at().url, { project }),
      await make(receiver.at().url, { project }),
    ];
    expect(made[0]?.secret).not.toBe(made[1]?.secret);
    const table = JSON.stringify(await world.table.all());
    for (const { secret } of made) {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      expect(key).toHaveLength(32);
      for (const form of ['base64', 'base64url', 'hex'] as const)
        expect(table).not.toContain(key.toString(form));
    }
  });
});
