/** @module-tag alone */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { newAuthenticator } from './support/authenticator.ts';
import type { Answer } from './support/call.ts';
import { keepLog } from './support/log.ts';
import { page, passkeyProject } from './support/passkeys.ts';
import { startStandIn } from './support/provider-stand-in.ts';
import { goThrough, redeem, returnUrl, setSecret } from './support/providers.ts';
import { goodPassword } from './support/sign-in.ts';
import { skipShortWaits, startReceiver, webhookTools } from './support/webhooks.ts';
import { type Person, startWorld } from './support/world.ts';

// A user leaves a recognisable text at every place that takes one, and is deleted. Then the whole table is searched: at
// first for what docs/evidence/table.md says stays for a time, and for nothing once each time to live is over.
const { log, stop } = keepLog();
const world = await startWorld();
const { as, table } = world;
const standIn = await startStandIn('oidc');
const [webhooks, receiver] = await Promise.all([webhookTools(world), startReceiver()]);
skipShortWaits();
afterAll(async () => {
  stop();
});

/** Every text of the user contains this word. */
const theirs = /erased[\w.@-]*/gi;
/** Mails to the second are reported as not delivered for a time, by SES's mailbox simulator. */
const [first, email, next] = [
  'erased.first@example.com',
  'ooto+erased.mail@simulator.amazonses.com',
  'erased.next@example.com',
] as const;

type Item = Record<string, unknown>;
const textsIn = (item: Item) => JSON.stringify(item).match(theirs) ?? [];
const kindOf = ({ pk, sk }: Item) => `${String(pk).split('#')[0]} ${String(sk).split('#')[0]}`;
const itemsOf = async () => (await table.all()).filter((item) => textsIn(item).length > 0);

async function done(answer: Promise<Answer>): Promise<Answer> {
  const { status, body, ...rest } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return { status, body, ...rest };
}

let uid = '';
let project_id = '';
beforeAll(async () => {
  const home = await passkeyProject(world, {
    impersonation: 'notify',
    sign_in_providers: { oidc: { ...standIn.settings, keep_tokens: true } },
    return_urls: [returnUrl],
  });
  ({ project_id } = home);
  await setSecret(world, home, standIn, { name: 'oidc' });
  // It never takes an event, so that the last ones are still under way.
  await webhooks.make(receiver.at(500).url, { project: home.project });
  const { post, project } = home;
  const back = as(project);
  const signedUp = await home.signUp(first, goodPassword, { display_name: 'Erasedname' });
  ({ uid } = signedUp);
  const link = (name: string) => ({
    value: `https://example.com/erased${name}`,
    type: 'erasedtype',
  });
  await done(
    as(signedUp).users.update({
      ...{ uid, preferred_username: 'erasedpreferred', about_me: 'erasedabout' },
      ...{ profile_url: link('profile').value, thumbnail_url: link('thumb').value },
      name: { given_name: 'Erasedgiven', family_name: 'Erasedfamily', formatted: 'Erasedfull' },
      ...{ current_location: 'erasedlocation', photos: [link('photo')], urls: [link('url')] },
    }),
  );
  await done(back.users.update({ uid, external_id: 'erasedexternal' }));
  const metadata = ['user', 'app', 'private'].map((name) => [`${name}_metadata`, { a: 'erasedm' }]);
  await done(back.users.setMetadata({ uid, ...Object.fromEntries(metadata) }));
  const confirm = { email, current_password: goodPassword };
  await done(as(signedUp).emails.change(confirm));
  await done(as(signedUp).emails.confirm({ token: await home.mailed(email) }));

  const signIn = await done(
    world.call({
      ...{ method: 'POST', path: '/sessions/password', headers: { 'user-agent': 'erasedagent' } },
      body: { project_id, email, password: goodPassword },
    }),
  );
  const ada = home.person(signIn.body);
  await signInEverywhere(ada);
  await joinEverything(ada);
  await done(back.sessions.create({ uid, actor: { id: 'support', reason: 'Erasedreason' } }));
  for (const path of ['/codes', '/links', '/passwords/forgotten'])
    await post(path, { email, ...(path === '/links' && { challenge: 'c'.repeat(43) }) });
  await post('/sessions/password', { email, password: 'erased wrong password' });
  await done(as(ada).emails.change({ email: next, current_password: goodPassword }));
  await world.drainStream();
  const headers = { 'idempotency-key': randomUUID() };
  await done(as(ada).users.update({ uid, display_name: 'Erasedlater' }, { headers }));
  await done(as(ada).users.delete({ uid, current_password: goodPassword }, { headers: {} }));
  await world.drainStream();

  /** At a provider, twice and once without an end, with a passkey, and with an API key. */
  async function signInEverywhere(person: Person) {
    const claims = { name: 'Erasedclaim', picture: link('picture').value };
    standIn.is({ sub: 'erasedsubject', email, email_verified: true, ...claims });
    const redeemed = await redeem(home, await goThrough(world, home, 'oidc'));
    expect(redeemed.status).toBe(201);
    await goThrough(world, home, 'oidc');
    const creation = await home.creation(person, { current_password: goodPassword });
    const credential = newAuthenticator(page).create(creation.body.publicKey);
    expect((await home.register(person, credential, { name: 'Erasedpasskey' })).status).toBe(201);
    await home.creation(person, { current_password: goodPassword });
    const made = await done(
      as(person).apiKeys.create({ name: 'erasedkey', metadata: { a: 'erasedk' } }),
    );
    await done(world.call('GET', '/users/me', `Bearer ${made.body.key}`));
  }

  /** In workspaces: as a member, inviter, invitee, requester, owner, heir, and once no longer. */
  async function joinEverything(person: Person) {
    const owner = await world.user({ project, verified: true });
    const guest = await world.user({ project, verified: true });
    const place = () => world.workspace({ owner });
    const [shared, left, archived] = [await place(), await place(), await place()];
    for (const each of [shared, left, archived]) await world.member(each, 'admin', person);
    const { workspace_id } = shared;
    await done(
      back.members.setMetadata({ workspace_id, user_id: uid, app_metadata: { a: 'erasedam' } }),
    );
    const invite = (to: string, at = workspace_id) =>
      done(
        as(person).invitations.create({
          workspace_id: at,
          email: to,
          role: 'member',
          message: 'Erasedwords',
        }),
      );
    await invite('erasing.guest@example.com');
    await invite('erasing.guest@example.com', left.workspace_id);
    await invite(guest.email);
    await done(as(guest).members.join({ workspace_id, user_id: guest.uid }));
    await done(as(person).joinLinks.create({ workspace_id, role: 'member' }));
    await done(as(owner).ownership.offer({ workspace_id, user_id: uid }));
    await done(
      as(person).workspaceKeys.create({ workspace_id, name: 'erasedprogram', role: 'member' }),
    );
    await done(back.members.remove({ workspace_id: left.workspace_id, user_id: uid }));
    await world.invited(await place(), 'member', person);
    const asked = await place();
    const domain = {
      workspace_id: asked.workspace_id,
      domain: 'simulator.amazonses.com',
      mode: 'suggest',
    };
    await done(back.domains.set(domain));
    await done(
      as(person).joinRequests.create({ workspace_id: asked.workspace_id, message: 'Erasedplea' }),
    );
    await done(
      back.workspaces.create({ owner_id: uid, name: 'Erasedplace', description: 'erasedtext' }),
    );
    await world.drainStream();
    await done(back.workspaces.delete({ workspace_id: archived.workspace_id }));
  }
});

test('the deletion is complete', async () => {
  expect((await table.get(keys.user(uid)))?.['completed_at']).toBeDefined();
});

test('right after the deletion only what the documents name has texts of the user, all but one for a time', async () => {
  const items = await itemsOf();
  const kinds = Map.groupBy(items, kindOf);
  const longest = Object.fromEntries(
    [...kinds].map(([kind, of]) => {
      const ends = of.map(({ expires_at = Infinity }) => Number(expires_at));
      return [kind, Math.round((Math.max(...ends) - Date.now() / 1_000) / 86_400)];
    }),
  );
  expect(longest).toEqual({
    'MAIL MAIL': 7,
    'TOKEN TOKEN': 0,
    'CODE CODE': 0,
    'SIGN_IN_LINK LINK': 0,
    'PROVIDER_CODE CODE': 0,
    'DELIVERY DELIVERY': 30,
    // The workspace that was theirs alone.
    'FEED EVENT': 90,
    'LOG EVENT': 90,
    'WS WS': 1,
    'WS INVITE': 37,
    // Its name is a text of the workspace.
    'WS API_KEY': Infinity,
  });
  const inFeed = kinds.get('FEED EVENT')?.map(({ event }) => JSON.parse(String(event)).type);
  expect(new Set(inFeed)).toEqual(new Set(['workspace.created', 'workspace.deleted']));
});

test('after every time to live nothing of the user is left but ids and the name of a key of a workspace', async () => {
  const ofProject = (item: Item) =>
    [project_id, uid].some((id) => JSON.stringify(item).includes(id)) || textsIn(item).length > 0;
  for (let gone: Item[] = [{}]; gone.length > 0; ) {
    gone = (await table.all()).filter((item) => 'expires_at' in item && ofProject(item));
    for (const { pk, sk } of gone) await table.delete({ pk: String(pk), sk: String(sk) });
    await world.drainStream();
  }
  const left = await itemsOf();
  expect(left.map((item) => [kindOf(item), textsIn(item)])).toEqual([
    ['WS API_KEY', ['erasedprogram']],
  ]);
  const named = (await table.all()).flatMap((item) => {
    const { events: _, ...rest } = item;
    const names = Object.entries(rest).flatMap(([name, value]) =>
      JSON.stringify(value).includes(uid) ? [name] : [],
    );
    return names.length > 0 ? [`${kindOf(item)}: ${names.toSorted().join()}`] : [];
  });
  // The receipt, the inviter of a member, and the creator of a key.
  expect(new Set(named)).toEqual(
    new Set(['USER USER: pk,uid', 'WS MEMBER: inviter_id', 'WS API_KEY: created_by']),
  );
});

test('no log line has a text of the user', () => {
  expect(log.length).toBeGreaterThan(40);
  expect(log.filter((line) => /erased/i.test(line))).toEqual([]);
});
