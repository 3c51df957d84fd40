import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { runInRequest } from '#shared/db/request-context.ts';
import { disableOnGone } from '#shared/webhooks/webhooks.ts';
import { domainRecord } from '#shared/workspaces/domains/modes.ts';
import { type Call, doneAfter, isTransaction } from '../faults/fault.ts';
import { userKey, workspaceKey } from '../support/api-keys.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { startNameServer } from '../support/name-server.ts';

/**
 * Two changes of one resource, the second exactly between the reads and the write of the first. Times cannot detect
 * this: a machine whose clock is ahead, or a request that began later, may have written a later time before.
 */

const dns = await startNameServer();
afterAll(() => dns.close());
const { faults, world } = await startFaultyWorld();
const { as, project, table } = world;
const later = { modified_at: '2999-01-01T00:00:00.000Z' };

const inBetween = (work: () => Promise<unknown>, when = isTransaction): void => {
  faults.inject(doneAfter(work), { when });
};

const ifMatch = ({ headers }: { headers: Headers }) => ({
  headers: { 'if-match': headers.get('etag') ?? '' },
});

test.each(['user', 'workspace'] as const)(
  'concurrent changes of name and metadata of an API key of a %s are both stored',
  async (kind) => {
    const workspace = await world.workspace();
    const { workspace_id, owner } = workspace;
    const ofUser = kind === 'user';
    const { key_id } = await (ofUser ? userKey(world, owner) : workspaceKey(world, workspace));
    const { apiKeys, workspaceKeys } = as(owner);
    const update = (fields: object) =>
      ofUser
        ? apiKeys.update({ key_id, ...fields })
        : workspaceKeys.update({ workspace_id, key_id, ...fields });
    const holder = ofUser ? keys.user(owner.uid) : keys.workspace(workspace_id);
    await table.update(keys.apiKey(holder, key_id), later);
    inBetween(() => update({ name: 'Renamed' }));
    expect((await update({ metadata: { plan: 'gold' } })).status).toBe(200);
    const list = () => (ofUser ? apiKeys.list() : workspaceKeys.list({ workspace_id }));
    const both = { key_id, name: 'Renamed', metadata: { plan: 'gold' } };
    expect((await list()).body.result).toMatchObject([both]);
    inBetween(() => update({ metadata: { plan: 'silver' } }));
    expect((await update({ name: 'Again' })).status).toBe(200);
    const others = { key_id, name: 'Again', metadata: { plan: 'silver' } };
    expect((await list()).body.result).toMatchObject([others]);
  },
);

test.each(['users', 'workspaces'] as const)(
  'concurrent changes of the metadata of %s are both stored, or get 412 with If-Match',
  async (of) => {
    const { uid } = await world.user();
    const { workspace_id } = await world.workspace();
    const at: { uid?: string; workspace_id?: string } = of === 'users' ? { uid } : { workspace_id };
    const routes = as(project)[of];
    const get = () => routes.getMetadata(at);
    const merge = (fields: object) => routes.mergeMetadata({ ...at, ...fields });
    const set = (fields: object, more = {}) => routes.setMetadata({ ...at, ...fields }, more);
    const [kept, other] = [{ app_metadata: { a: 1 } }, { private_metadata: { b: 1 } }];
    const mergesOther = () => merge(other);
    await set(kept);
    inBetween(mergesOther);
    expect((await merge({ private_metadata: { c: 1 } })).status).toBe(200);
    expect((await get()).body).toEqual({ ...kept, private_metadata: { b: 1, c: 1 } });
    // Also if nothing would be left.
    await set({ private_metadata: {} });
    inBetween(mergesOther);
    expect((await merge({ app_metadata: null })).status).toBe(200);
    expect((await get()).body).toEqual(other);
    // No request overwrites data that it has not read.
    await set({ private_metadata: {}, ...kept });
    const seen = ifMatch(await get());
    inBetween(mergesOther);
    expect((await set({ private_metadata: { d: 1 } }, seen)).status).toBe(412);
    expect((await get()).body).toEqual({ ...kept, ...other });
  },
);

test('a domain that is proven while the job of a restored workspace writes it back stays proven', async () => {
  const { workspace_id } = await world.workspace();
  const domain = `${workspace_id}.example`;
  const { domains, workspaces } = as(project);
  await domains.set({ workspace_id, domain, mode: 'suggest' });
  const { name, value } = domainRecord({ ...project, workspace_id }, domain);
  dns.publish(name, value);
  await workspaces.delete({ workspace_id });
  await world.drainStream();
  await workspaces.restore({ workspace_id });
  const writesBack = (call: Call) =>
    isTransaction(call) &&
    call.text.includes('ConditionCheck') &&
    call.text.includes(`DOMAIN#${domain}`);
  inBetween(async () => {
    expect((await domains.prove({ workspace_id, domain })).status).toBe(200);
  }, writesBack);
  await world.drainStream();
  expect(await table.get(keys.domain(workspace_id, domain))).toMatchObject({
    by_email_sk: `WS#PROVEN#${workspace_id}`,
  });
});

test('a webhook that is disabled because its receiver is gone is not overwritten', async () => {
  const { project_id } = project;
  const { webhooks } = as(project);
  const { webhook_id, url } = (await webhooks.create({ url: 'https://example.com/hook' })).body;
  const goes = () =>
    runInRequest('job', 5_000, () =>
      disableOnGone(
        { project_id, webhook_id, url } as Parameters<typeof disableOnGone>[0],
        new Date().toISOString(),
      ),
    );
  const update = (more: { headers: Record<string, string> }) =>
    webhooks.update({ webhook_id, description: 'Of orders' }, more);
  const seen = ifMatch(await webhooks.get({ webhook_id }));
  inBetween(goes);
  expect((await update(seen)).status).toBe(412);
  await webhooks.update({ webhook_id, disabled: false });
  const writes = (call: Call) => isTransaction(call) && call.text.includes('Of orders');
  inBetween(goes, writes);
  const { body } = await update({ headers: { 'idempotency-key': randomUUID() } });
  expect(body).toMatchObject({ description: 'Of orders', disabled: true });
});

describe('a member with two concurrent changes', () => {
  const scene = async () => {
    const workspace = await world.workspace();
    const { workspace_id } = workspace;
    const { uid: user_id } = await world.member(workspace);
    await table.update(keys.member(workspace_id, user_id), later);
    const { get, mergeMetadata, suspend } = as(project).members;
    const at = { workspace_id, user_id };
    return {
      get: () => get(at),
      merge: (app_metadata: object, more = {}) => mergeMetadata({ ...at, app_metadata }, more),
      suspend: (more = {}) => suspend({ ...at, suspended: true }, more),
    };
  };

  test('is returned as it is stored, with its ETag', async () => {
    const { get, merge, suspend } = await scene();
    inBetween(suspend);
    const merged = await merge({ a: 1 });
    expect(merged.body).toMatchObject({ suspended: true, app_metadata: { a: 1 } });
    expect(merged.headers.get('etag')).toBe((await get()).headers.get('etag'));
  });

  test('is not changed with the ETag of an earlier version', async () => {
    const { get, merge, suspend } = await scene();
    const seen = ifMatch(await get());
    inBetween(() => merge({ a: 1 }));
    expect((await suspend(seen)).status).toBe(412);
    const now = ifMatch(await get());
    inBetween(suspend);
    expect((await merge({ b: 1 }, now)).status).toBe(412);
  });
});
