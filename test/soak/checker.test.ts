import { describe, expect, test } from 'vitest';
import { check } from './checker/check.ts';
import type { Caller, Entry, History, Stored } from './history.ts';

const [ada, grace] = ['ada', 'grace'];
const place = 'wid-1';
const early = '2026-11-21T08:00:00.000Z';
const late = '2026-11-21T09:00:00.000Z';
const backend: Caller = { project_id: 'red', kind: 'project' };

/** An unsigned token with claims: the checker does not verify tokens. */
const tokenOf = (claims: object) =>
  `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
const access = (jti = 'a') => tokenOf({ sid: 's1', sub: ada, jti, iat: 1 });
const adaSignedIn: Caller = {
  ...{ project_id: 'red', kind: 'person', uid: ada, session_id: 's1', token: access() },
};
const adaRefreshing = (token: string): Caller => ({ ...adaSignedIn, kind: 'refresh', token });

const user = { uid: ada, email: 'ada@one.example', display_name: 'Ada', created_at: early };
const workspace = {
  ...{ workspace_id: place, name: 'w', owner_id: ada, allowed_domains: [], created_at: early },
  ...{ modified_at: early, project_id: 'red' },
};
const member = {
  ...{ member_id: 'mid-1', workspace_id: place, user_id: ada, status: 'accepted' },
  ...{ role: 'admin', created_at: early, modified_at: early },
};
const started = (refresh_token = 'r0', jti = 'a') => ({
  access_token: access(jti),
  refresh_token,
  user: { ...user, modified_at: early },
});

type Given = Partial<Entry> & { name: string };

/** Sequential requests, ten milliseconds each, with ten in between, unless an entry has its own times. */
const inTurn = (...given: readonly Given[]): Entry[] =>
  given.map((each, i) => ({
    ...{ id: i + 1, client: 0, as: backend, began: 20 * i, ended: 20 * i + 10, status: 200 },
    ...(each.answer && { text: JSON.stringify(each.answer) }),
    ...each,
  }));

const makeAda: Given = {
  ...{ name: 'users.create', status: 201 },
  ...{ body: { email: user.email, display_name: 'Ada' }, answer: { ...user, modified_at: early } },
};
const signIn: Given = {
  ...{ name: 'sessions.create', status: 201, body: { uid: ada }, answer: started() },
};
const makePlace: Given = {
  ...{ name: 'workspaces.create', status: 201, body: { name: 'w', owner_id: ada } },
  answer: workspace,
};
const begun = [makeAda, signIn, makePlace];
const readPlace: Given = {
  ...{ name: 'workspaces.get', params: { workspace_id: place }, answer: workspace },
};
const rename = (name: string, more: Partial<Entry> = {}): Given => ({
  ...{ name: 'workspaces.update', params: { workspace_id: place }, body: { name } },
  answer: { ...workspace, name },
  ...more,
});
const refresh = (token: string, refresh_token: string, jti: string): Given => ({
  ...{ name: 'sessions.refresh', as: adaRefreshing(token) },
  answer: started(refresh_token, jti),
});
const readMe: Given = {
  ...{ name: 'users.getMe', as: adaSignedIn, answer: { ...user, modified_at: early } },
};
const refused = (name: string, status: number, code: string, more: Partial<Entry> = {}): Given => ({
  ...{ name, status, answer: { code }, ...more },
});
const signOut: Given = { name: 'sessions.signOut', as: adaSignedIn, answer: { session_id: 's1' } };

/** The table after all of `begun`. */
const table: Record<string, Stored> = {
  guard: { pk: 'EMAIL#red#ada@one.example', sk: 'EMAIL', uid: ada },
  user: {
    ...{
      pk: `USER#${ada}`,
      sk: 'USER',
      project_id: 'red',
      ...user,
      modified_at: early,
      version: 1,
    },
    ...{ workspace_count: 1, owned_workspace_count: 1 },
    ...{ by_email_pk: 'EMAIL#red#ada@one.example', by_email_sk: 'USER' },
  },
  session: { pk: `USER#${ada}`, sk: 'SESSION#s1', uid: ada },
  workspace: {
    ...{ pk: `WS#${place}`, sk: 'WS', ...workspace, owner_email: user.email },
    ...{ total_member_count: 1, pending_member_count: 0 },
  },
  member: {
    ...{ pk: `WS#${place}`, sk: `MEMBER#${ada}`, ...member, profile_version: 1 },
    ...{ by_member_pk: `USER#${ada}`, by_member_sk: `MEMBER#${place}` },
  },
};

const history = (
  entries: readonly Given[],
  items: Record<string, Stored | undefined> = {},
  index = true,
): History => {
  const stored = Object.values({ ...table, ...items }).filter((item) => item !== undefined);
  const of = (name: string) => (index ? stored.filter((item) => item[name] !== undefined) : []);
  const indexes = { 'by-email': of('by_email_pk'), 'by-member': of('by_member_pk') };
  const scan = { at: 1_000_000, items: stored, indexes };
  return { entries: inTurn(...entries), scan, projects: ['red', 'blue'] };
};

const brokenRules = (...given: Parameters<typeof history>): string[] => [
  ...new Set(check(history(...given)).map(({ rule }) => rule)),
];

const alsoPending: Stored = {
  ...{ pk: `WS#${place}`, sk: `INVITE#${ada}`, user_id: ada, member_id: 'mid-2' },
  ...{ created_at: early, modified_at: early, profile_version: 1 },
};
const pendingCounted = { ...table['workspace'], pending_member_count: 1 } as Stored;
const inviteAda: Given = {
  ...{ name: 'invitations.create', status: 201, params: { workspace_id: place } },
  answer: { ...member, member_id: 'mid-2', status: 'pending' },
};

test('an invitation by an e-mail of unknown owner may concern the user who was given it', () => {
  const update = { name: 'users.update', params: { uid: grace } };
  const invite = { name: 'invitations.create', params: { workspace_id: place }, status: 503 };
  const listed = { uid: grace, email: 'grace@one.example' };
  const given: Given[] = [
    ...begun,
    { ...update, status: 503, body: { email: 'moved@one.example' } },
    { ...invite, body: { email: 'moved@one.example', role: 'member' } },
    {
      ...{ name: 'members.list', params: { workspace_id: place }, query: { status: 'pending' } },
      answer: { total: 1, count: 1, result: [listed] },
    },
  ];
  const rule = 'no refused write visible';
  expect(brokenRules(given)).not.toContain(rule);
  expect(brokenRules(given.filter(({ name }) => name !== 'users.update'))).toContain(rule);
});

test('a history with a valid order of its requests violates no rule', () => {
  const entries = [
    ...begun,
    ...[readPlace, readMe, refresh('r0', 'r1', 'b'), refresh('r1', 'r2', 'c')],
    // The previous token gets the same response again.
    refresh('r1', 'r2', 'c'),
    // The outcome is unknown, and later turns out to be done.
    rename('w2', { status: 503, answer: { code: 'temporarily_unavailable' } }),
    { ...readPlace, answer: { ...workspace, name: 'w2' } },
    refused('workspaces.get', 404, 'not_found', {
      ...{ params: { workspace_id: 'wid-of-blue' }, probe: 'foreign' },
    }),
    signOut,
    refused('users.getMe', 401, 'unauthenticated', { as: adaSignedIn }),
  ];
  const changed = { ...table['workspace'], name: 'w2' } as Stored;
  expect(check(history(entries, { session: undefined, workspace: changed }))).toEqual([]);
});

test('two concurrent requests may be applied in either order', () => {
  const concurrent = [
    rename('w2', { began: 100, ended: 200 }),
    rename('w3', { began: 150, ended: 250 }),
  ];
  for (const name of ['w2', 'w3']) {
    const changed = { ...table['workspace'], name } as Stored;
    expect(check(history([...begun, ...concurrent], { workspace: changed }))).toEqual([]);
  }
});

test('the deletion of an owner removes only the contents of their workspaces', () => {
  const params = { workspace_id: place };
  const link: Given = {
    ...{ name: 'joinLinks.create', status: 201, params, answer: { link_id: 'lid-1', token: 't' } },
  };
  const ask: Given = {
    ...{ name: 'joinRequests.create', status: 201, params, body: {} },
    ...{ as: { ...adaSignedIn, uid: grace }, answer: { user_id: grace } },
  };
  const deleteUser = (uid: string): Given => ({
    ...{ name: 'users.delete', params: { uid }, answer: { uid } },
  });
  const lost = (uid: string) =>
    check(history([...begun, link, ask, deleteUser(uid)], { workspace: undefined }))
      .filter(({ rule }) => rule === 'no acknowledged write lost')
      .map(({ what }) => what.split(' ')[1]);
  expect(new Set(lost('edsger'))).toEqual(new Set(['link', 'request']));
  expect(lost(ada)).toEqual([]);
});

test('a write that a deletion removes may be acknowledged after the deletion', () => {
  const grown = { uid: grace, email: 'grace@two.example', display_name: '' };
  const makeGrace: Given = {
    ...{ name: 'users.create', status: 201, body: { email: grown.email, display_name: '' } },
    answer: { ...grown, created_at: early, modified_at: early },
  };
  const params = { workspace_id: place };
  const deleteGrace: Given = {
    ...{ name: 'users.delete', params: { uid: grace }, answer: { uid: grace } },
    ...{ began: 120, ended: 140 },
  };
  const addGrace: Given = {
    ...{ name: 'members.add', status: 201, params, body: { user_id: grace, role: 'member' } },
    ...{ answer: { ...member, member_id: 'mid-2', user_id: grace, role: 'member' } },
    ...{ began: 100, ended: 200 },
  };
  const deletePlace: Given = {
    ...{ name: 'workspaces.delete', params, answer: workspace, began: 320, ended: 340 },
  };
  const linkPlace: Given = {
    ...{ name: 'joinLinks.create', status: 201, params, answer: { link_id: 'lid-1', token: 't' } },
    ...{ began: 300, ended: 400 },
  };
  const entries = [...begun, makeGrace, deleteGrace, addGrace, deletePlace, linkPlace];
  const gone = {
    grace: { pk: `USER#${grace}`, sk: 'USER', ...grown, deleted_at: late },
    workspace: { ...table['workspace'], deleted_at: late } as Stored,
    user: { ...table['user'], owned_workspace_count: 0, workspace_count: 0 } as Stored,
  };
  const lost = check(history(entries, gone)).filter(({ rule }) => rule.includes('lost'));
  expect(lost).toEqual([]);
});

/** An event in the feed that the statistics lack. */
const created: Stored = {
  ...{ pk: 'FEED#red', sk: 'EVENT#000000000000001' },
  event: JSON.stringify({ type: 'user.created', time: early, data: { user_id: ada } }),
};

describe('each rule finds its violation', () => {
  test.each<[string, ...Parameters<typeof history>]>([
    [
      'one user per e-mail',
      [...begun, { ...makeAda, answer: { ...user, uid: grace, modified_at: early } }],
      { grace: { pk: `USER#${grace}`, sk: 'USER', uid: grace, deleted_at: late } },
    ],
    ['guards and users point at each other', begun, { guard: undefined }],
    ['statistics equal items and events', begun, { feed: created }],
    [
      'counts equal items',
      begun,
      { workspace: { ...table['workspace'], total_member_count: 2 } as Stored },
    ],
    ['counts equal items', begun, { passkey: { pk: `USER#${ada}`, sk: 'PASSKEY#1' } }],
    [
      'counts equal items',
      begun,
      { webhooks: { pk: 'WEBHOOKS#red', sk: 'COUNT', webhook_count: 1 } },
    ],
    [
      'never pending and accepted at once',
      [...begun, { ...inviteAda, began: 0, ended: 500 }],
      { pending: alsoPending, workspace: pendingCounted },
    ],
    [
      'one owner, accepted and admin',
      [
        ...begun,
        {
          ...{ name: 'members.changeRole', params: { workspace_id: place, user_id: ada } },
          ...{ body: { role: 'member' }, answer: { ...user, modified_at: early, role: 'member' } },
        },
      ],
      { member: { ...table['member'], role: 'member' } as Stored },
    ],
    ['no acknowledged write lost', [...begun, rename('w2')]],
    [
      'no refused write visible',
      [...begun, rename('w2', { status: 404, answer: { code: 'not_found' } })],
      { workspace: { ...table['workspace'], name: 'w2' } as Stored },
    ],
    [
      'nothing visible after an acknowledged delete',
      [...begun, { name: 'workspaces.delete', params: { workspace_id: place }, answer: workspace }],
    ],
    [
      'no session after an acknowledged sign-out',
      [...begun, signOut, readMe],
      { session: undefined },
    ],
    [
      'no session after an acknowledged sign-out',
      begun,
      { user: { ...table['user'], disabled: true } as unknown as Stored },
    ],
    [
      'nothing visible after an acknowledged delete',
      [
        ...begun,
        {
          ...{ name: 'members.remove', params: { workspace_id: place, user_id: ada } },
          answer: member,
        },
        { name: 'workspaces.listJoined', as: adaSignedIn, answer: { result: [workspace] } },
      ],
    ],
    [
      'no valid client refused',
      [...begun, refused('users.getMe', 401, 'unauthenticated', { as: adaSignedIn })],
    ],
    [
      'one valid refresh token per session',
      [...begun, ...[refresh('r0', 'r1', 'b'), refresh('r1', 'r2', 'c'), refresh('r0', 'r1', 'b')]],
    ],
    [
      'equal responses to equal tokens',
      [...begun, refresh('r0', 'r1', 'b'), refresh('r0', 'r1', 'other')],
    ],
    [
      'nothing of one project through another',
      [...begun, { ...readPlace, probe: 'foreign', answer: {} }],
    ],
    [
      'same Idempotency-Key, equal response and one change',
      [...begun, rename('w', { key: 'k' }), rename('w', { key: 'k', text: 'another' })],
    ],
    [
      'same Idempotency-Key, equal response and one change',
      [
        ...begun,
        rename('w', { key: 'k' }),
        refused('workspaces.update', 409, 'request_in_progress', { key: 'k' }),
      ],
    ],
    ['read your writes', [...begun, rename('w2'), readPlace, rename('w')]],
    [
      'pages without gaps or repeats',
      [
        ...begun,
        {
          ...{ name: 'members.list', walk: 1, params: { workspace_id: place } },
          ...{ query: { status: 'accepted' }, answer: { total: 0, result: [] } },
        },
      ],
    ],
    [
      'created_at constant',
      [...begun, { ...readPlace, answer: { ...workspace, created_at: late } }],
    ],
    [
      'modified_at never back',
      [...begun, { ...readPlace, answer: { ...workspace, modified_at: late } }],
    ],
    ['index equals base', begun, {}, false],
    [
      'only documented statuses, never 500',
      [...begun, refused('users.getMe', 500, 'internal_error')],
    ],
    ['copies are current', begun, { member: { ...table['member'], profile_version: 0 } as Stored }],
    ['every event once', begun, { user: { ...table['user'], event_count: 1 } as Stored }],
  ])('%s', (rule, ...given) => {
    // A violation of one rule may also violate another.
    expect(brokenRules(...given)).toContain(rule);
  });

  test.each(['users.list', 'workspaces.list'] as const)(
    '%s of a project that misses an old element violates the rule, but one that misses a new element does not',
    (name) => {
      const empty = { ...{ name, walk: 1, query: { limit: 50 } }, answer: { result: [] } };
      const rule = 'pages without gaps or repeats';
      expect(brokenRules([...begun, { ...empty, began: 120_000, ended: 120_100 }])).toContain(rule);
      expect(brokenRules([...begun, empty])).not.toContain(rule);
    },
  );

  test('a repeated element, an endless list and a cursor of another list violate the rule', () => {
    const page = {
      ...{ name: 'members.list', walk: 1, params: { workspace_id: place } },
      ...{ query: { status: 'accepted' }, answer: { result: [{ uid: ada, role: 'admin' }] } },
    };
    const rule = ['pages without gaps or repeats'];
    expect(brokenRules([...begun, page, page])).toEqual(rule);
    expect(brokenRules([...begun, { ...page, next: 'more' }])).toEqual(rule);
    expect(brokenRules([...begun, { ...page, probe: 'cursor' }])).toEqual(rule);
  });
});
