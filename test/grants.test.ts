/**
 * @module-tag proof
 * @module-tag alone
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import { grants } from '../lib/functions.ts';
import type { Grant } from '../lib/grant.ts';
import { enforceGrants } from '../local/aws/permissions.ts';
import { rightsOf } from '../local/aws/rights.ts';
import { fromSource } from '../local/load.ts';
import type { FunctionName } from '../shared/contract/functions.ts';
import { limits } from '../shared/model/limits.ts';
import { budgetCases } from './support/budgets/cases.ts';
import type { Call } from './support/call.ts';
import { expectProblem } from './support/expectations.ts';
import { logged } from './support/log.ts';
import { startOpenidProvider } from './support/openid-provider.ts';
import { useContinuation, useDeadLetters } from './support/rights/continuation.ts';
import { inContention, ofReleaseBefore } from './support/rights/elsewhere.ts';
import { useFactors } from './support/rights/factor.ts';
import { useApiKeys } from './support/rights/key.ts';
import { useMailboxes } from './support/rights/mailbox.ts';
import { emptyMetadata } from './support/rights/metadata.ts';
import { useOAuth } from './support/rights/oauth.ts';
import { usePages } from './support/rights/page.ts';
import { usePasskeys } from './support/rights/passkey.ts';
import { useProofs } from './support/rights/proof.ts';
import { useProviders } from './support/rights/provider.ts';
import { useReauthentication } from './support/rights/reauthenticate.ts';
import { useRefusals, withoutOwnWork } from './support/rights/refusal.ts';
import { useRoles } from './support/rights/role.ts';
import { makeRoom } from './support/rights/room.ts';
import { useActiveWorkspace, useExternalIds, useImport } from './support/rights/session.ts';
import { useWebhooks } from './support/rights/webhook.ts';
import { goodPassword, type Started, signInProject } from './support/sign-in.ts';
import { type Person, startWorld } from './support/world.ts';

const world = await startWorld();
const { basic } = world.project;
const names = Object.keys(grants) as FunctionName[];
const openid = await startOpenidProvider();

/** Expires the caches of projects and keys, and the daily record of secret use: each call is the first one. */
const aDayLater = () => vi.setSystemTime(Date.now() + 86_400_000);
/** Expires the caches of projects, keys and secrets, but not the user's credentials, not even codes. */
const anew = () => vi.setSystemTime(Date.now() + 301_000);
const cold = async (
  method: string,
  path: string,
  auth?: string,
  body?: unknown,
  { headers, query }: Partial<Call> = {},
) => {
  const keyed = { ...headers, 'idempotency-key': randomUUID() };
  const answer = await world.call({ method, path, auth, body, query, headers: keyed });
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
  await useCases();
  await makeRoom(world, { asProject, asPerson });
  await emptyMetadata(world, asProject);
  await useRoles(world, { asProject, asPerson });
  for (const use of [useActiveWorkspace, useImport, useExternalIds, usePages]) await use(world);
  await useOAuth(world, anew);
  await signIn();
  await useOperator();
  await restore();
  await useContinuation(world);
  await useDeadLetters(world);
  await useWebhooks(world, asProject);
  await useApiKeys(world, { asProject, asPerson, cold });
  for (const use of [usePasskeys, useProviders, useReauthentication]) await use(world, anew, cold);
  await useFactors(world, { anew, cold, openid });
  anew();
  const [person, ended] = [await world.user(), await world.user()];
  await lacking(withoutOwnWork, () => useRefusals(world, person, ended));
  await world.secrets.rotate(await fromSource('keys.rotate'));
});

/** These verify a token of a provider that has ended: only an instance with its keys can. `signIn` uses their rights. */
const warmOnly = new Set(['identities.signIn', 'identities.link']);

/**
 * Makes the call of every budget on a cold instance. Codes that expire before it is cold are refused; the scripts of
 * test/support/rights renew them, and use the rights that no budget needs.
 */
async function useCases(): Promise<void> {
  for (const [name, cases] of Object.entries(budgetCases(world)))
    for (const [label, prepare] of warmOnly.has(name) ? [] : Object.entries(cases)) {
      const { method, path, auth, body, ...more } = await prepare();
      if (label.startsWith('Basic')) aDayLater();
      else anew();
      await cold(method, path, auth, body, more);
    }
  await world.drainStream();
}

/** Restores a workspace with an invitation and a domain, which the stream then restores. */
async function restore(): Promise<void> {
  const place = await world.workspace();
  await world.invited(place);
  const path = `/workspaces/${place.workspace_id}`;
  for (const [method, to] of [
    ['PUT', `${path}/allowed_domains/restored.example`],
    ['DELETE', path],
    ['POST', `${path}/restore`],
  ] as const) {
    await asProject(method, to, method === 'PUT' ? { mode: 'suggest' } : undefined);
    await world.drainStream();
  }
}

async function useOperator(): Promise<void> {
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
}

/** Sign-ins of users with the maximum number of sessions, and with accounts at a provider. */
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
  const grace: Someone = await home.signUp(email);
  const byGoogle = async (sub: string, of: string) => {
    const id_token = openid.signed({ sub, email: of });
    return anyone('/sessions/identity', { provider: 'google', id_token });
  };
  await anyone('/passwords/forgotten', { email });
  await anyone('/passwords', { token: await mailed(email), password });
  await byGoogle('hedy', 'hedy@example.com');
  await byGoogle('grace', email);
  const id_token = openid.signed({ sub: 'grace', email: 'grace@elsewhere.example' });
  const link = { provider: 'google', current_password: password, id_token };
  await asPerson(grace, 'POST', '/users/me/identities', link);
  for (let i = 0; i < limits.sessionsPerUser; i += 1) await world.session(grace.uid, grace.project);
  await byGoogle('grace', email);
  await anyone('/sessions/password', { email, password });
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
  const granted = rightsOf(grants[name]);
  expect({
    'used, not granted in lib/domains': [...used].filter((right) => !granted.has(right)),
    'granted in lib/domains, used by no request of this file': [...granted].filter(
      (right) => !used.has(right),
    ),
  }).toEqual({
    'used, not granted in lib/domains': [],
    'granted in lib/domains, used by no request of this file': [],
  });
});

/** The log of the functions while they lack rights. */
async function lacking(less: Partial<Record<FunctionName, Grant>>, work: () => Promise<void>) {
  const { stop } = enforceGrants({ ...grants, ...less });
  const { lines } = await logged(work).finally(stop);
  return lines;
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
  expect(log[0]).toMatchObject({
    status: 503,
    cause: { message: expect.any(String), cause: { name: 'AccessDeniedException' } },
  });
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
