/**
 * @module-tag proof
 * @module-tag alone
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { grants } from '../lib/functions.ts';
import type { Grant } from '../lib/grant.ts';
import { enforceGrants } from '../local/aws/permissions.ts';
import { rightsOf } from '../local/aws/rights.ts';
import { fromSource } from '../local/load.ts';
import type { FunctionName } from '../shared/contract/functions.ts';
import { keys } from '../shared/db/keys.ts';
import { limits } from '../shared/model/limits.ts';
import { expectProblem } from './support/expectations.ts';
import { startNameServer } from './support/name-server.ts';
import { startOpenidProvider } from './support/openid-provider.ts';
import { useContinuation, useDeadLetters } from './support/rights/continuation.ts';
import { inContention, ofReleaseBefore } from './support/rights/elsewhere.ts';
import { useFactors } from './support/rights/factor.ts';
import { useApiKeys } from './support/rights/key.ts';
import { writeByKeys } from './support/rights/key-write.ts';
import { useMailboxes } from './support/rights/mailbox.ts';
import { useMembership } from './support/rights/membership.ts';
import { useOAuth } from './support/rights/oauth.ts';
import { usePages } from './support/rights/page.ts';
import { usePasskeys } from './support/rights/passkey.ts';
import { useProofs } from './support/rights/proof.ts';
import { useProviders } from './support/rights/provider.ts';
import { useReauthentication } from './support/rights/reauthenticate.ts';
import { useRefusals, withoutOwnWork } from './support/rights/refusal.ts';
import { introspect } from './support/rights/session.ts';
import { useWallets } from './support/rights/wallet.ts';
import { useWebhooks } from './support/rights/webhook.ts';
import { goodPassword, type Started, signInProject } from './support/sign-in.ts';
import { type Person, startWorld } from './support/world.ts';

const world = await startWorld();
const { basic } = world.project;
const names = Object.keys(grants) as FunctionName[];
const openid = await startOpenidProvider();
afterAll(() => openid.close());

/** Expires the caches of projects and keys, and the daily record of secret use: each call is the first one. */
const aDayLater = () => vi.setSystemTime(Date.now() + 86_400_000);
/** Expires the caches of projects, keys and secrets, but not the user's credentials, not even codes. */
const anew = () => vi.setSystemTime(Date.now() + 301_000);
/** Whether requests have an Idempotency-Key, so that idempotency records are written too. */
let keyed = true;
const cold = async (method: string, path: string, auth?: string, body?: unknown) => {
  const headers = { 'idempotency-key': randomUUID() };
  const answer = await world.call(method, path, auth, body, keyed ? { headers } : {});
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(500);
  return answer.body;
};
const asProject = (method: string, path: string, body?: unknown) => {
  aDayLater();
  return cold(method, path, basic, body);
};
type Someone = Pick<Person, 'uid' | 'project'>;
const asPerson = async (someone: Someone, ...asked: Parameters<typeof asProject>) => {
  anew();
  const { bearer } = await world.session(someone.uid, someone.project);
  anew();
  const [method, path, body] = asked;
  return cold(method, path, bearer, body);
};

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const ada = await world.user({ verified: true });
  const bob = await world.user({ verified: true });
  const acme = { name: 'Acme', owner_id: ada.uid };
  const { workspace_id } = await asProject('POST', '/workspaces', acme);
  const path = `/workspaces/${workspace_id}`;
  const either = async (method: string, to: string, body?: unknown) => {
    await asProject(method, to, body);
    await asPerson(ada, method, to, body);
  };
  const domains = (...allowed_domains: string[]) =>
    either('PUT', `${path}/allowed_domains`, { allowed_domains });
  const email = () => `new${Date.now()}@example.com`;
  const someone = () => world.user({ email: email(), verified: true });
  for (let i = 0; i < 2; i += 1) await asProject('POST', '/users', { email: 'eve@example.com' });
  await asProject('POST', '/users', { email: 'eve@example.com', email_verified: true });
  for (let i = 0; i < 2; i += 1)
    await asProject('GET', '/users/0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5aff');
  await asProject('POST', '/users/search', { uids: [ada.uid] });
  await asProject('POST', '/users/search', { uids: [ada.uid, bob.uid] });
  await asPerson(ada, 'GET', '/users/me');
  await useWallets(world, ada, cold);
  await either('PUT', `/users/${ada.uid}`, { display_name: 'Ada' });
  await asProject('PUT', `/users/${ada.uid}`, { email: email() });
  await asProject('PUT', `/users/${ada.uid}`, { email: 'ada@example.com' });
  await either('GET', path);
  await either('PUT', path, { name: 'New' });
  for (const some of [['example.com'], [], ['example.com']]) await domains(...some);
  await asPerson(bob, 'POST', '/workspaces/join', { workspace_id, user_id: bob.uid });
  for (const by of [asProject, asPerson.bind(null, ada)]) {
    await by('POST', `${path}/users`, { user_id: (await someone()).uid, role: 'member' });
    const invited = await someone();
    // A user without a shared workspace can only be invited.
    await world.member(await world.workspace({ owner: ada }), 'member', invited);
    await by('POST', `${path}/invitations`, { email: invited.email, role: 'member' });
    await by('POST', `${path}/users`, { user_id: invited.uid, role: 'admin' });
    const joining = await someone();
    await by('POST', `${path}/invitations`, { email: joining.email, role: 'member' });
    await asPerson(joining, 'GET', '/workspaces/invited/search');
    await asProject('POST', '/workspaces/join', { workspace_id, user_id: joining.uid });
    await by('POST', `${path}/invitations`, { email: email(), role: 'member' });
  }
  await asPerson(await someone(), 'GET', '/workspaces/invited/search');
  await either('GET', `${path}/users?status=accepted`);
  await either('GET', `${path}/users?status=pending`);
  for (const role of ['admin', 'member'])
    await asProject('PUT', `${path}/users/${bob.uid}/role`, { role });
  await asPerson(ada, 'PUT', `${path}/users/${bob.uid}/role`, { role: 'admin' });
  await asProject('GET', `/workspaces?user_id=${ada.uid}`);
  await asPerson(ada, 'GET', '/workspaces');
  await asPerson(ada, 'GET', '/workspaces/joined/search');
  await usePages(world, anew);
  await useOAuth(world, anew);
  await waysIn(ada);
  await useMembership(world, { asProject, asPerson });
  await asProject('PUT', `/users/${bob.uid}`, { disabled: true });
  await asProject('PUT', `/users/${bob.uid}`, { disabled: false });
  await asProject('POST', '/sessions', { uid: bob.uid });
  for (const by of [asProject, asPerson.bind(null, bob)]) {
    await world.session(bob.uid);
    const ofBob = `/sessions?user_id=${bob.uid}`;
    const { result } = await by('GET', ofBob);
    await by('DELETE', ofBob.replace('?', `/${result[0].session_id}?`));
    await world.session(bob.uid);
    await by('DELETE', ofBob);
  }
  for (let i = 0; i < 2; i += 1) {
    const { access_token } = await world.session(bob.uid);
    anew();
    await cold('POST', '/sessions/introspect', basic, { token: access_token });
  }
  await asProject('POST', '/sessions/introspect', { token: '' });
  await asPerson(bob, 'DELETE', '/sessions/current');
  await introspect(world, bob.uid);
  await signIn();
  aDayLater();
  const session = await world.session(bob.uid);
  anew();
  const refresh = `Bearer ${session.refresh_token}`;
  for (let i = 0; i < 2; i += 1) {
    keyed = i === 0;
    await cold('POST', '/sessions/token/refresh', refresh, { accessToken: session.access_token });
    aDayLater();
  }
  keyed = true;
  const documents = ['openapi.json', 'docs', 'docs/start.js', '.well-known/openid-configuration'];
  for (const open of ['.well-known/jwks.json', ...documents, 'nowhere'])
    await cold('GET', `/${open}`);
  const { project_id } = await world.newProject();
  const sign_in_providers = { okta: { client_id: 'ID', issuer: 'https://id.acme.example' } };
  for (const request of [
    { action: 'list' },
    { action: 'rotate-key', project_id },
    { action: 'update', project_id, name: 'New', token_algorithm: 'ES256' },
    { action: 'update', project_id, pages_domain: 'auth.acme.example', sign_in_providers },
    { action: 'update', project_id, pages_domain: null, sign_in_providers: null },
    { action: 'list-secrets', project_id },
    { action: 'rotate-key', project_id, keep: 0 },
    { action: 'list-secrets', project_id },
  ])
    await world.operate(request);
  await world.drainStream();
  for (const to of ['/events', `${path}/events`]) {
    // To the end, and once more without new events.
    let page = await asProject('GET', to);
    while (page.result.length > 0) page = await asProject('GET', `${to}?after=${page.next_cursor}`);
  }
  await asProject('GET', '/stats');
  await asPerson(ada, 'GET', `${path}/events`);
  const other = await asProject('POST', '/workspaces', { name: 'Other', owner_id: ada.uid });
  await asProject('DELETE', `/workspaces/${other.workspace_id}`);
  await asPerson(ada, 'DELETE', path);
  await world.drainStream();
  await beginAgain(ada, bob, path);
  await useWebhooks(world, asProject);
  await useApiKeys(world, { asProject, asPerson, cold });
  await writeByKeys(world, { asProject, asPerson, cold });
  for (const use of [usePasskeys, useProviders, useReauthentication]) await use(world, anew, cold);
  await useFactors(world, { anew, aDayLater, cold, openid });
  anew();
  const [person, ended] = [await world.user(), await world.user()];
  await lacking(withoutOwnWork, () => useRefusals(world, person, ended));
  await world.secrets.rotate(await fromSource('keys.rotate'));
});

/** Domains with their modes and verification, join requests and links, by managers and by joining users. */
async function waysIn(ada: Someone): Promise<void> {
  const of = { name: 'Open', owner_id: ada.uid };
  const { workspace_id } = await asProject('POST', '/workspaces', of);
  const path = `/workspaces/${workspace_id}`;
  for (const by of [asProject, asPerson.bind(null, ada)]) {
    await by('GET', `${path}/allowed_domains`);
    await by('PUT', `${path}/allowed_domains/example.com`, { mode: 'off' });
    await asProject('PUT', `${path}/allowed_domains/example.com`, { mode: 'suggest' });
    for (let i = 0; i < 3; i += 1) {
      const asker = await world.user({ email: `asks${Date.now()}@example.com`, verified: true });
      await asPerson(asker, 'POST', `${path}/join_requests`, {});
      await asPerson(asker, 'GET', '/workspaces/invited/search');
      await by('GET', `${path}/join_requests`);
      const request = `${path}/join_requests/${asker.uid}`;
      if (i === 0) await by('DELETE', request);
      if (i === 1) await asPerson(asker, 'DELETE', request);
      if (i === 2) await by('POST', `${request}/approve`, {});
    }
    const { token, link_id } = await by('POST', `${path}/join_links`, {});
    await by('GET', `${path}/join_links`);
    const joining = await world.user({ email: `joins${Date.now()}@example.com` });
    const join = { workspace_id, user_id: joining.uid, join_token: token };
    await asPerson(joining, 'POST', '/workspaces/join', join);
    await by('DELETE', `${path}/join_links/${link_id}`);
  }
  const { publish, close } = await startNameServer();
  const { result } = await asProject('GET', `${path}/allowed_domains`);
  publish(result[0].record.name, result[0].record.value);
  for (const by of [asPerson.bind(null, ada), asProject])
    await by('POST', `${path}/allowed_domains/example.com/proof`);
  await close();
  await fullOf(workspace_id);
}

/** Expired items make room for another request and another link. */
async function fullOf(workspace_id: string): Promise<void> {
  const path = `/workspaces/${workspace_id}`;
  await asProject('POST', `${path}/join_links`, {});
  const asker = await world.user({ email: `full${Date.now()}@example.com`, verified: true });
  await asPerson(asker, 'POST', `${path}/join_requests`, {});
  for (const prefix of ['LINK#', 'REQUEST#'])
    for (const item of await world.table.query(`WS#${workspace_id}`, prefix))
      await world.table.put({ ...item, expires_at: 1 });
  const counts = { join_link_count: 50, join_request_count: 1_000 };
  await world.table.update(keys.workspace(workspace_id), counts);
  await asPerson(asker, 'POST', `${path}/join_requests`, {});
  await asProject('POST', `${path}/join_links`, {});
}

/** Restores the workspace, transfers it, and deletes its users. */
async function beginAgain(owner: Someone, admin: Someone, path: string): Promise<void> {
  await asProject('POST', `${path}/restore`);
  await world.drainStream();
  await asProject('DELETE', path);
  await asPerson(owner, 'POST', `${path}/restore`);
  await world.drainStream();
  for (const by of [asProject, asPerson.bind(null, owner)]) {
    await asPerson(owner, 'POST', `${path}/ownership`, { user_id: admin.uid });
    await by('DELETE', `${path}/ownership`);
  }
  await asPerson(owner, 'POST', `${path}/ownership`, { user_id: admin.uid });
  await asPerson(admin, 'POST', `${path}/ownership/accept`);
  await asProject('POST', `${path}/ownership`, { user_id: owner.uid });
  for (const by of [asProject, asPerson.bind(null, admin)]) {
    await by('GET', `/users/${admin.uid}/export`);
    const { uid } = by === asProject ? await world.user({ email: 'gone@example.com' }) : admin;
    await asProject('POST', '/workspaces', { name: 'Own', owner_id: uid });
    await by('DELETE', `/users/${uid}`);
    await asProject('GET', `/users/${uid}/deletion`);
  }
  await useContinuation(world);
  await useDeadLetters(world);
}

/** Every sign-in method, for new users, existing ones, and ones with the maximum number of sessions. */
async function signIn(): Promise<void> {
  const { issuer, jwks_uri, client_id } = openid;
  const google = { issuer, jwks_uri, client_ids: [client_id] };
  const home = await signInProject(world, { identity_providers: { google } });
  const anyone = <T = Started>(path: string, body: object): Promise<T> => {
    anew();
    return cold('POST', path, undefined, { project_id: home.project_id, ...body });
  };
  const mailed = (email: string) => {
    anew();
    return home.mailed(email);
  };
  const password = goodPassword;
  const email = 'grace@example.com';
  await cold('GET', `/projects/${home.project_id}`);
  await anyone('/sign-up', { email });
  const signedUp = await anyone('/passwords', { token: await mailed(email), password });
  const grace: Someone = { uid: signedUp.uid, project: home.project };
  const byPassword = (given: string) => anyone('/sessions/password', { email, password: given });
  const byCode = async (to: string) => {
    const { challenge_id } = await anyone<{ challenge_id: string }>('/codes', { email: to });
    return anyone('/sessions/code', { challenge_id, code: await home.mailed(to) });
  };
  const byGoogle = async (sub: string, of: string) => {
    const id_token = openid.signed({ sub, email: of });
    return anyone('/sessions/identity', { provider: 'google', id_token });
  };
  await byPassword(password);
  await byPassword('wrong');
  await anyone('/sessions/code', { challenge_id: randomUUID(), code: '000000' });
  await anyone('/sessions/identity', { provider: 'google', id_token: 'x.y.z' });
  await anyone('/sign-up', { email });
  await mailed(email);
  const change = { current_password: password, new_password: `${password}!` };
  await asPerson(grace, 'PUT', '/users/me/password', change);
  await anyone('/passwords/forgotten', { email });
  await anyone('/passwords', { token: await mailed(email), password });
  for (let i = 0; i < 2; i += 1) await byCode('new@example.com');
  for (let i = 0; i < 2; i += 1) await byGoogle('hedy', 'hedy@example.com');
  await byGoogle('grace', email);
  const byPerson = { current_password: password };
  await asPerson(grace, 'DELETE', '/users/me/identities/google', byPerson);
  const link = (current_password: string) =>
    asPerson(grace, 'POST', '/users/me/identities', {
      ...{ provider: 'google', current_password },
      id_token: openid.signed({ sub: 'grace', email: 'grace@elsewhere.example' }),
    });
  for (const given of ['wrong', password, password]) await link(given);
  await home.mailTo(email);
  await asPerson(grace, 'POST', '/users/me/email/verification');
  const confirm = async (to: string) =>
    asPerson(grace, 'POST', '/users/me/email/confirmation', { token: await mailed(to) });
  await confirm(email);
  const another = { email: 'hopper@example.com', current_password: password };
  await asPerson(grace, 'POST', '/users/me/email', another);
  await confirm(another.email);
  for (let i = 0; i < limits.sessionsPerUser; i += 1) await world.session(grace.uid, grace.project);
  await byGoogle('grace', email);
  await anyone('/sessions/password', { email: another.email, password });
  const asBackEnd = (method: string, path: string, body?: unknown) => {
    anew();
    return cold(method, path, home.project.basic, body);
  };
  for (let i = 0; i < 2; i += 1) await home.post('/passwords', { token: 'x', password });
  await useProofs(world, home, { anyone, asBackEnd, asPerson });
  anew();
  await useMailboxes(world, home, asBackEnd);
}

test.each(names)('the grant of %s is exactly what it uses', (name) => {
  const used = new Set([
    ...(world.permissions.used.get(name) ?? []),
    ...(inContention[name] ?? []),
    ...(ofReleaseBefore[name] ?? []),
  ]);
  expect([...used].sort()).toEqual([...rightsOf(grants[name])].sort());
});

/** The log of the functions while they lack rights. */
async function lacking(less: Partial<Record<FunctionName, Grant>>, work: () => Promise<void>) {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  process.env['LOG_LEVEL'] = 'info';
  const { stop } = enforceGrants({ ...grants, ...less });
  try {
    await work();
    return stderr.mock.calls.map(([line]) => JSON.parse(String(line)));
  } finally {
    stop();
    stderr.mockRestore();
    process.env['LOG_LEVEL'] = 'silent';
  }
}

test('a missing grant fails: an operation on the table', async () => {
  const { uid } = await world.user();
  const search = (uids: string[]) => world.call('POST', '/users/search', basic, { uids });
  const log = await lacking({ 'users.search': { get: ['projects'] } }, async () => {
    expectProblem(await search([uid, '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5aff']), 'internal_error');
  });
  expect((await search([uid])).status).toBe(200);
  expect(log[0]).toMatchObject({ status: 500, cause: { name: 'AccessDeniedException' } });
});

test('a missing grant fails: the secret of the mails', async () => {
  const { post, mailTo } = await signInProject(world);
  const ask = () => post('/sign-up', { email: 'ada@example.com' });
  const { secrets: { mail: _, ...secrets } = {}, ...rest } = grants['passwords.signUp'];
  anew();
  const log = await lacking({ 'passwords.signUp': { ...rest, secrets } }, async () => {
    expectProblem(await ask(), 'temporarily_unavailable');
  });
  expect(log[0]).toMatchObject({ status: 503, cause: { name: 'AccessDeniedException' } });
  expect(await mailTo('ada@example.com')).toBeUndefined();
  expect((await ask()).status).toBe(202);
  expect(await mailTo('ada@example.com')).toBeDefined();
});

test('a missing grant fails: sending mail', async () => {
  const { post, mailTo } = await signInProject(world);
  const { sendMail: _, ...less } = grants['mail.send'];
  const log = await lacking({ 'mail.send': less }, async () => {
    await post('/codes', { email: 'bob@example.com' });
    void world.drainStream(); // It is tried for as long as the code works.
    const line = expect.stringContaining('"mail.send"');
    await vi.waitFor(() => expect(process.stderr.write).toHaveBeenCalledWith(line), 20_000);
  });
  expect(await mailTo('bob@example.com')).toBeDefined();
  const cause = expect.objectContaining({ name: 'AccessDeniedException' });
  expect(log).toContainEqual(expect.objectContaining({ operation: 'mail.send', cause }));
});
