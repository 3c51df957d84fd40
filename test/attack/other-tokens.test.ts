/** @module-tag alone */
import { randomUUID as newUid, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/call.ts';
import { expectProblem } from '../support/expectations.ts';
import { tokenIn } from '../support/invitations.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { flipped, respelled } from './tokens.ts';
import { partsOf, silence } from './traces.ts';

/** Mailed or shared tokens: changed, re-encoded, presented by others, reused, or read from the table. */

const world = await startWorld();
const ours = await signInProject(world);
const theirs = await signInProject(world);
const { project, project_id } = ours;
const owner = await world.user({ project });
const workspace = await world.workspace({ owner });
const elsewhere = await world.workspace({ owner });
const { workspace_id } = workspace;
const asker = await world.user({ project });
const other = await world.user({ project });
const abroad = await world.user({ project: theirs.project });
const log = silence();

const post = (path: string, auth: string | undefined, body: object) =>
  world.call('POST', path, auth, body);
const setPassword = (token: unknown, home = project_id) =>
  post('/passwords', undefined, { project_id: home, token, password: goodPassword });
const confirm = (token: unknown, { bearer } = asker) =>
  post('/users/me/email/confirmation', bearer, { token });
const accept = (token: unknown, auth = project.basic) =>
  post('/invitations/accept', auth, { token });
const join = (join_token: unknown, { bearer, uid } = other, to = workspace_id) =>
  post('/workspaces/join', bearer, { workspace_id: to, user_id: uid, join_token });

type Kind = {
  token: string;
  use: (token: unknown) => Promise<Answer>;
  /** Presented by another user, or for another resource. */
  misuses: Record<string, () => Promise<Answer>>;
  refusal: 'mail_token_invalid' | 'join_link_invalid';
};
const kinds: Record<string, Kind> = {};

beforeAll(async () => {
  const email = 'reset@example.com';
  await ours.signUp(email);
  await ours.post('/passwords/forgotten', { email });
  await ours.post('/sign-up', { email: 'new@example.com' });
  await post('/users/me/email/verification', asker.bearer, {});
  const [signUp, reset, proof] = [
    await ours.mailed('new@example.com'),
    await ours.mailed(email),
    await ours.mailed(asker.email),
  ];
  await post('/users/me/email', asker.bearer, { email: 'next@example.com' });
  const change = await ours.mailed('next@example.com');
  const invitee = await world.invited(workspace);
  const second = await world.invited(workspace);
  const handed = tokenIn(invitee.link);
  const mailed = tokenIn((await ours.mailTo(second.email))?.text);
  const { body: link } = await post(`/workspaces/${workspace_id}/join_links`, owner.bearer, {});
  const { body: wrong } = await post(
    `/workspaces/${elsewhere.workspace_id}/join_links`,
    owner.bearer,
    {},
  );
  const [ids = '', secret = ''] = handed.split('.');
  const ofPassword = (token: string): Kind => ({
    token,
    use: setPassword,
    refusal: 'mail_token_invalid',
    misuses: { 'in another project': () => setPassword(token, theirs.project_id) },
  });
  const ofEmail = (token: string): Kind => ({
    token,
    use: confirm,
    refusal: 'mail_token_invalid',
    misuses: {
      'by another user': () => confirm(token, other),
      'by a user of another project': () => confirm(token, abroad),
    },
  });
  const ofInvitation = (token: string): Kind => ({
    token,
    use: accept,
    refusal: 'mail_token_invalid',
    misuses: {
      'by another user': () => accept(token, other.bearer),
      'by the inviter': () => accept(token, owner.bearer),
      'by another project': () => accept(token, theirs.project.basic),
      'the secret of another invitation': () =>
        accept(`${token.split('.')[0]}.${otherSecret(token)}`),
      'the names of another invitation': () =>
        accept(`${otherNames(token)}.${token.split('.')[1]}`),
      'the names swapped': () => accept(`${turned(token)}.${token.split('.')[1]}`),
    },
  });
  const otherOf = (token: string) => (token === handed ? mailed : handed);
  const otherSecret = (token: string) => otherOf(token).split('.')[1];
  const otherNames = (token: string) => otherOf(token).split('.')[0];
  Object.assign(kinds, {
    'sign-up': ofPassword(signUp),
    reset: ofPassword(reset),
    verification: ofEmail(proof),
    change: ofEmail(change),
    'handed invitation': ofInvitation(handed),
    'mailed invitation': ofInvitation(mailed),
    'join link': {
      token: link.token,
      use: join,
      refusal: 'join_link_invalid',
      misuses: {
        'into another workspace': () => join(link.token, other, elsewhere.workspace_id),
        'by a user of another project': () => join(link.token, abroad),
        'of another workspace': () => join(wrong.token),
        'the secret of another': () =>
          join(`${link.token.split('.')[0]}.${wrong.token.split('.')[1]}`),
        'the secret of an invitation': () => join(`${link.token.split('.')[0]}.${secret}`),
        'the names of an invitation': () => join(`jl_${ids}.${link.token.split('.')[1]}`),
      },
    },
  } satisfies Record<string, Kind>);
});

/** A token with its two ids swapped. */
function turned(token: string): string {
  const names = Buffer.from(token.split('.')[0] ?? '', 'base64url');
  return Buffer.concat([names.subarray(16), names.subarray(0, 16)]).toString('base64url');
}

/** Changes to a token that need no other token. */
function changes(token: string): [string, unknown][] {
  const [first = '', second] = token.split('.');
  const half = Math.floor(token.length / 2);
  return [
    ['the last letter', flipped(token, token.length - 5)],
    ['the first letter of the secret', flipped(token, second === undefined ? 0 : first.length + 1)],
    ['the unused bits of the last letter', respelled(token)],
    ['the unused bits of the names', second === undefined ? '' : `${respelled(first)}.${second}`],
    ['cut off', token.slice(0, -1)],
    ['longer', `${token}A`],
    ['padded', `${token}=`],
    ['twice', token + token],
    ['in lower case', token.toLowerCase()],
    ['in upper case', token.toUpperCase()],
    ['backwards', [...token].toReversed().join('')],
    ['random', token.slice(0, -43) + randomBytes(32).toString('base64url')],
    ['zeros', token.slice(0, -43) + 'A'.repeat(43)],
    ['without its secret', token.slice(0, -43)],
    ['a prefix of it', token.slice(0, half)],
    ['with a key of the table', `TOKEN#${token}`],
    ['a wildcard', '*'],
    ['a long text', 'A'.repeat(60_000)],
    ['nothing', ''],
    ...[' ', '\n', '\0', '\u200b', '#', '%00', '"', "' OR '1'='1"].flatMap(
      (text): [string, unknown][] => [
        [`${JSON.stringify(text)} behind`, `${token}${text}`],
        [`${JSON.stringify(text)} before`, `${text}${token}`],
        [
          `${JSON.stringify(text)} inside`,
          `${token.slice(0, half)}${text}${token.slice(half + 1)}`,
        ],
      ],
    ),
    ['in a list', [token]],
    ['in an object', { S: token }],
    ['an object that begins like it', { $gt: '' }],
    ['true', true],
    ['0', 0],
    ['null', null],
  ];
}

async function expectRefused(answer: Answer, { refusal }: Kind, token: unknown, name: string) {
  expect([name, answer.status, answer.body.code]).toEqual([
    name,
    400,
    expect.toBeOneOf([refusal, 'invalid_request']),
  ]);
  log.expectWithout(partsOf(JSON.stringify(token)), answer);
}

const names = [
  ...['sign-up', 'reset', 'verification', 'change'],
  ...['handed invitation', 'mailed invitation', 'join link'],
];
const kindOf = (name: string): Kind => {
  const kind = kinds[name];
  if (!kind) throw new Error(`There is no ${name} token.`);
  return kind;
};

describe.each(names)('the %s token', (name) => {
  test('is refused if it is changed in any way', async () => {
    const kind = kindOf(name);
    for (const [change, token] of changes(kind.token)) {
      log.clear();
      expect(token, change).not.toBe(kind.token);
      await expectRefused(await kind.use(token), kind, token, change);
    }
  });

  test('is refused for another user, project or purpose', async () => {
    const kind = kindOf(name);
    for (const [misuse, use] of Object.entries(kind.misuses)) {
      log.clear();
      const answer = await use();
      // For a stranger, the resource does not exist.
      expect([misuse, answer.body.code]).toEqual([
        misuse,
        expect.toBeOneOf([kind.refusal, 'not_found', 'forbidden']),
      ]);
      log.expectWithout(partsOf(kind.token), answer);
    }
  });
});

test('the token that confirms the first e-mail of a user does not work for another user', async () => {
  const [one, another] = await Promise.all(
    [newUid(), newUid()].map(async (uid) => {
      await world.call('GET', `/users/${uid}`, project.basic);
      return world.session(uid, project);
    }),
  );
  await post('/users/me/email', one?.bearer, { email: 'first@example.com' });
  const token = await ours.mailed('first@example.com');
  expectProblem(await confirm(token, another), 'mail_token_invalid');
  const { status, body } = await confirm(token, one);
  expect([status, body.uid, body.email]).toEqual([200, one?.uid, 'first@example.com']);
});

/** Every text in an item, and the parts of texts joined with `#` or a blank. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...value.split(/[#\s.]/)];
  if (value instanceof Uint8Array)
    return [Buffer.from(value).toString('base64url'), Buffer.from(value).toString()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

test('a reader of the table finds no token, and no digest works as a token', async () => {
  const texts = new Set((await world.table.all()).flatMap(textsIn));
  const tokens = names.map((name) => kindOf(name).token);
  for (const token of [...tokens, project.secret, asker.access_token, asker.refresh_token])
    for (const part of token.split('.')) if (part.length >= 43) expectAbsent(texts, part);
  const digests = [...texts].filter((text) => /^[\w-]{43}$/.test(text));
  expect(digests.length).toBeGreaterThan(10);
  for (const digest of digests) {
    expectProblem(await setPassword(digest), 'mail_token_invalid');
    expectProblem(await confirm(digest), 'mail_token_invalid');
    for (const name of ['handed invitation', 'mailed invitation', 'join link']) {
      const kind = kindOf(name);
      const token = `${kind.token.slice(0, -43)}${digest}`;
      expectProblem(await kind.use(token), kind.refusal);
    }
  }
});

/** An invitation's token contains ids that are in the table, but its secret must not be. */
function expectAbsent(texts: ReadonlySet<string>, part: string): void {
  const found = [...texts].filter((text) => text.includes(part));
  expect(found).toEqual([]);
}

test.each(names)('the %s token is still valid, and can be used once', async (name) => {
  const { token, use, refusal } = kindOf(name);
  const { status, body } = await use(token);
  expect([status, body.code]).toEqual([expect.toBeOneOf([200, 201]), undefined]);
  const again = await use(token);
  // A user who joined by it gets the same member again.
  if ('member_id' in body) expect([again.status, again.body]).toEqual([200, body]);
  else expectProblem(again, refusal);
});
