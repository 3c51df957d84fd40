import { beforeAll, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import type { ErrorCode } from '#shared/model/error-codes.ts';
import type { Answer } from '../support/call.ts';
import { settingsOf } from '../support/identities.ts';
import { tokenIn } from '../support/invitations.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { type Person, startWorld } from '../support/world.ts';
import { partsOf, silence } from './traces.ts';

/** Every kind of token at every endpoint that accepts another kind (RFC 8725 sections 2.8 and 3.11). */

const world = await startWorld();
const openid = await startOpenidProvider();
const ours = await signInProject(world, { identity_providers: { google: settingsOf(openid) } });
const { project, project_id } = ours;
const person = await world.user({ project, verified: true });
const unproven = await world.user({ project });
const joining = await world.user({ project });
const owner = await world.user({ project });
const workspace = await world.workspace({ owner });
const { workspace_id } = workspace;
const members = `/workspaces/${workspace_id}/users?status=accepted&limit=1`;
const log = silence();

const kinds = [
  ...['access token', 'refresh token', 'ID token'],
  ...['sign-up token', 'reset token', 'verification token', 'change token'],
  'sign-in link token',
  ...['mailed invitation token', 'handed invitation token', 'join token'],
  ...['project secret', 'project credential', 'webhook secret', 'code', 'challenge', 'cursor'],
] as const;
type Kind = (typeof kinds)[number];
const tokens = new Map<Kind, string>();
const of = (kind: Kind): string => tokens.get(kind) ?? '';

/** Two codes, each valid once: one for the endpoint of codes, one for that of challenges. */
let first: { challenge_id: string; code: string };
let second: { challenge_id: string; code: string };
let linked: Awaited<ReturnType<typeof ours.link>>;

type Door = {
  opens: (token: string, code?: string) => Promise<Answer>;
  /** The tokens that it accepts, in the order in which the controls use them. */
  takes: readonly Kind[];
  /** The error for anything else; `invalid_request` if the format differs. */
  refuses: readonly ErrorCode[];
};
const post = (path: string, auth: string | undefined, body: object) =>
  world.call('POST', path, auth, body);
const confirm = ({ bearer }: Person, token: string) =>
  post('/users/me/email/confirmation', bearer, { token });
const password = (token: string) =>
  post('/passwords', undefined, { project_id, token, password: `${goodPassword} again` });

const doors: Record<string, Door> = {
  'the credential of a user': {
    opens: (token) => world.call('GET', '/users/me', `Bearer ${token}`),
    takes: ['access token'],
    refuses: ['unauthenticated'],
  },
  'the credential of a backend': {
    opens: (token) => world.call('GET', members, `Basic ${token}`),
    takes: ['project credential'],
    refuses: ['unauthenticated'],
  },
  'the secret in that credential': {
    opens: (token) => world.call('GET', members, world.basic({ project_id, secret: token })),
    takes: ['project secret'],
    refuses: ['unauthenticated'],
  },
  'a backend route with Bearer': {
    opens: (token) => post('/sessions', `Bearer ${token}`, { uid: person.uid }),
    takes: [],
    refuses: ['unauthenticated'],
  },
  'the access token of a refresh': {
    opens: (accessToken) =>
      post('/sessions/token/refresh', `Bearer ${of('refresh token')}`, { accessToken }),
    takes: ['access token'],
    refuses: ['unauthenticated'],
  },
  'the refresh token': {
    opens: (token) =>
      post('/sessions/token/refresh', `Bearer ${token}`, { accessToken: of('access token') }),
    takes: ['refresh token'],
    refuses: ['unauthenticated'],
  },
  'an ID token to sign in': {
    opens: (id_token) =>
      post('/sessions/identity', undefined, { project_id, provider: 'google', id_token }),
    takes: ['ID token'],
    refuses: ['identity_token_invalid'],
  },
  'an ID token to link': {
    opens: (id_token) =>
      post('/users/me/identities', person.bearer, { provider: 'google', id_token }),
    takes: ['ID token'],
    refuses: ['identity_token_invalid'],
  },
  'a token that sets a password': {
    opens: password,
    takes: ['sign-up token', 'reset token'],
    refuses: ['mail_token_invalid', 'invalid_request'],
  },
  'a token that proves an e-mail': {
    opens: (token) => confirm(unproven, token),
    takes: ['verification token', 'change token'],
    refuses: ['mail_token_invalid', 'invalid_request'],
  },
  'a token that accepts an invitation': {
    opens: (token) => post('/invitations/accept', project.basic, { token }),
    takes: ['handed invitation token', 'mailed invitation token'],
    refuses: ['mail_token_invalid', 'invalid_request'],
  },
  'a token that joins': {
    opens: (join_token) =>
      post('/workspaces/join', joining.bearer, { workspace_id, user_id: joining.uid, join_token }),
    takes: ['join token'],
    refuses: ['join_link_invalid', 'invalid_request'],
  },
  'a code': {
    opens: (code) =>
      post('/sessions/code', undefined, { project_id, challenge_id: first.challenge_id, code }),
    takes: ['code'],
    refuses: ['invalid_request'],
  },
  'the challenge of a code': {
    opens: (challenge_id) =>
      post('/sessions/code', undefined, { project_id, challenge_id, code: second.code }),
    takes: ['challenge'],
    refuses: ['invalid_request'],
  },
  'a token that signs in by a link': {
    async opens(token) {
      const { link_id, verifier } = linked;
      // Each of them must be verified, not rejected because of earlier attempts.
      await world.table.update(keys.signInLink(link_id), { tries: 0 });
      return post('/sessions/link', undefined, { project_id, link_id, verifier, token });
    },
    takes: ['sign-in link token'],
    refuses: ['invalid_credentials', 'invalid_request'],
  },
  'the cursor of a list': {
    opens: (token) =>
      world.call('GET', `${members}&cursor=${encodeURIComponent(token)}`, project.basic),
    takes: ['cursor'],
    refuses: ['invalid_request'],
  },
};

beforeAll(async () => {
  const { email } = await ours.signUp('reset@example.com');
  await ours.post('/passwords/forgotten', { email });
  await ours.post('/sign-up', { email: 'new@example.com' });
  await world.call('POST', '/users/me/email/verification', unproven.bearer);
  await ours.mailed(unproven.email);
  await post('/users/me/email', unproven.bearer, { email: 'next@example.com' });
  const invitee = await world.invited(workspace);
  const links = `/workspaces/${workspace_id}/join_links`;
  const { body: made } = await post(links, owner.bearer, {});
  const hook = { url: 'https://receiver.example.com/hook' };
  const { body: webhook } = await post('/webhooks', project.basic, hook);
  first = await ours.code('first@example.com');
  second = await ours.code('second@example.com');
  linked = await ours.link('linked@example.com');
  const page = await world.call('GET', members.replace('limit=1', 'limit=2'), project.basic);
  for (let more = page.body.count; more < 3; more += 1) await world.member(workspace);
  const { headers } = await world.call('GET', members, project.basic);
  const cursor = new URL(/<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '').searchParams;
  const entries: [Kind, string][] = [
    ['access token', person.access_token],
    ['refresh token', person.refresh_token],
    ['ID token', openid.signed({ sub: 'ada', email: person.email })],
    ['sign-up token', await ours.mailed('new@example.com')],
    ['reset token', await ours.mailed(email)],
    ['verification token', await ours.mailed(unproven.email)],
    ['change token', await ours.mailed('next@example.com')],
    ['sign-in link token', linked.token],
    ['mailed invitation token', tokenIn((await ours.mailTo(invitee.email))?.text)],
    ['handed invitation token', tokenIn(invitee.link)],
    ['join token', made.token],
    ['project secret', project.secret],
    ['project credential', project.basic.slice('Basic '.length)],
    ['webhook secret', webhook.secret],
    ['code', first.code],
    ['challenge', second.challenge_id],
    ['cursor', cursor.get('cursor') ?? ''],
  ];
  for (const [kind, token] of entries) tokens.set(kind, token);
});

test('the tests have a token of every kind, and all are different', () => {
  expect([...tokens.keys()]).toEqual([...kinds]);
  for (const token of tokens.values()) expect(token).toMatch(/^[\w.=+/-]{6,}$/);
  expect(new Set(tokens.values()).size).toBe(kinds.length);
});

test.each(Object.entries(doors))(
  '%s accepts no other kind of token',
  async (_name, { opens, takes, refuses }) => {
    for (const kind of kinds.filter((each) => !takes.includes(each))) {
      log.clear();
      const answer = await opens(of(kind));
      expect([kind, refuses]).toEqual([kind, expect.arrayContaining([answer.body.code])]);
      log.expectWithout(partsOf(of(kind)), answer);
    }
  },
);

test.each(Object.entries(doors).filter(([, { takes }]) => takes.length > 0))(
  '%s still accepts its own kind of token',
  async (_name, { opens, takes }) => {
    for (const kind of takes) {
      const { status, body } = await opens(of(kind));
      expect([kind, status, body.code]).toEqual([kind, expect.toBeOneOf([200, 201]), undefined]);
    }
  },
);
