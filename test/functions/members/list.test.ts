import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { aTime, aUser, expectInvalid } from '../../support/expectations.ts';
import { nextOf, pagesFrom } from '../../support/paging.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { project_id } = project;
const pathOf = (workspace_id: string, query = 'status=accepted') =>
  `/workspaces/${workspace_id}/users?${query}`;
const list = (workspace_id: string, query?: string, auth = project.basic) =>
  world.call('GET', pathOf(workspace_id, query), auth);

/** An element of the list. Only the users themselves see the time of their last sign-in. */
function listed({ uid, email, user }: Person, role: string, member_id: unknown) {
  return { ...aUser({ uid, project_id, email, verified: user.verified }), role, member_id };
}

const workspace = await world.workspace({ owner: await world.user() });
const { workspace_id, owner } = workspace;
const member = await world.member(workspace);
const admin = await world.member(workspace, 'admin');
const invited = await world.invited(workspace, 'admin');
const accepted = [
  listed(owner, 'admin', expect.stringMatching(/^mid-/)),
  listed(member, 'member', member.member.member_id),
  listed(admin, 'admin', admin.member.member_id),
];

test('200 lists accepted members, oldest user account first, for the backend and every member', async () => {
  const { status, headers, body } = await list(workspace_id);
  expect(status).toBe(200);
  expect(body).toEqual({ total: 3, count: 3, result: accepted });
  expect(headers.has('link')).toBe(false);
  for (const { bearer } of [owner, admin, member])
    expect((await list(workspace_id, undefined, bearer)).body).toEqual(body);
});

test('200 hides sign-in methods and agreed terms of other users from a plain member', async () => {
  const place = await world.workspace({ owner: await signedUp() });
  const plain = await world.member(place, 'member', await signedUp());
  const other = await world.member(place, 'admin', await signedUp());
  const everybody = [place.owner, plain, other];
  await world.drainStream();
  for (const query of ['status=accepted', 'status=accepted&query=Signs']) {
    const shownTo = async (auth: string): Promise<Record<string, unknown>[]> =>
      (await list(place.workspace_id, query, auth)).body.result;
    const whole = await shownTo(project.basic);
    expect(whole.map(({ uid }) => uid)).toEqual(everybody.map(({ uid }) => uid));
    for (const element of whole)
      expect(element).toMatchObject({
        sign_in_methods: { idpw: { enabled: true } },
        agreed_terms: { tos: aTime() },
      });
    for (const { bearer } of [place.owner, other]) expect(await shownTo(bearer)).toEqual(whole);
    const bare = whole.map((element) => {
      if (element['uid'] === plain.uid) return element;
      const { agreed_terms: _, ...rest } = element;
      return { ...rest, sign_in_methods: {} };
    });
    expect(await shownTo(plain.bearer)).toEqual(bare);
  }
});

/** A user with a password who has accepted the terms. */
async function signedUp(): Promise<Person> {
  const person = await world.user({ display_name: 'Signs In' });
  await as(person).users.update({ uid: person.uid, agreed_terms: { tos: true } });
  await world.table.update(keys.user(person.uid), {
    sign_in_methods: { idpw: { enabled: true } },
  });
  return person;
}

test('200 lists pending members with their offered role, for the backend and admins', async () => {
  const result = [listed(invited, 'admin', invited.member.member_id)];
  for (const auth of [project.basic, owner.bearer, admin.bearer])
    expect((await list(workspace_id, 'status=pending', auth)).body).toEqual({
      total: 1,
      count: 1,
      result,
    });
});

test('200 pages by offset and by cursor list each member once', async () => {
  const page = async (query: string) => (await list(workspace_id, query)).body;
  expect(await page('status=accepted&limit=2')).toEqual({
    total: 3,
    count: 2,
    result: accepted.slice(0, 2),
  });
  expect(await page('status=accepted&offset=2&limit=2')).toEqual({
    total: 3,
    count: 1,
    result: accepted.slice(2),
  });
  expect(await page('status=accepted&offset=3')).toEqual({ total: 3, count: 0, result: [] });
  for (const limit of [1, 2, 3]) {
    const path = pathOf(workspace_id, `status=accepted&limit=${limit}`);
    const pages = await pagesFrom(world, path, member.bearer);
    expect(pages).toHaveLength(Math.ceil(3 / limit));
    expect(pages.flatMap(({ body }) => body.result)).toEqual(accepted);
  }
});

test('200 a cursor continues after an offset', async () => {
  const first = await list(workspace_id, 'status=accepted&offset=1&limit=1');
  const { body } = await world.call('GET', nextOf(first) ?? '', project.basic);
  expect(body).toEqual({ total: 3, count: 1, result: accepted.slice(2) });
});

test('200 a page has 20 members by default', async () => {
  const large = await world.workspace();
  for (let i = 0; i < 20; i += 1) await world.member(large);
  const { body } = await list(large.workspace_id);
  expect([body.total, body.count, body.result.length]).toEqual([21, 20, 20]);
  const full = await list(large.workspace_id, 'status=accepted&limit=100');
  expect([full.body.count, full.headers.has('link')]).toEqual([21, false]);
});

test('200 a far offset returns the same members as cursors, and a large search has total_is_at_least', async () => {
  const crowded = await world.workspace();
  const one = await world.member(crowded);
  const item = await world.table.get(keys.member(crowded.workspace_id, one.uid));
  const uids = Array.from({ length: 301 }, () => randomUUID()).sort();
  const profile = JSON.stringify({ ...JSON.parse(String(item?.['profile'])), display_name: 'Zed' });
  // Fewer members than names: each member without a user causes work for the stream function.
  const members = uids.slice(0, 110);
  await world.table.putAll([
    ...members.map((uid) => {
      const key = keys.member(crowded.workspace_id, uid);
      return { ...item, ...key, user_id: uid, profile };
    }),
    ...uids.map((uid) => keys.memberTerm(crowded.workspace_id, 'zed', uid)),
  ]);
  const path = pathOf(crowded.workspace_id, 'status=accepted&limit=100');
  const pages = await pagesFrom(world, path, project.basic);
  const all = pages.flatMap(({ body }) => body.result);
  expect(all).toHaveLength(112);
  for (const offset of [100, 110, 112, 501]) {
    const query = `status=accepted&offset=${offset}&limit=5`;
    const { result } = (await list(crowded.workspace_id, query)).body;
    expect(result).toEqual(all.slice(offset, offset + 5));
  }
  const { body } = await list(crowded.workspace_id, 'status=accepted&query=zed');
  expect(body).toMatchObject({ total: 300, count: 20, total_is_at_least: true });
});

test('200 shows a changed profile once the stream has copied it', async () => {
  const changing = await world.workspace();
  const ada = await world.member(changing);
  const change = { display_name: 'Ada', email: 'new-ada@example.com' };
  const { body: changed } = await as(project).users.update({ uid: ada.uid, ...change });
  await world.drainStream();
  const { result } = (await list(changing.workspace_id)).body;
  const { last_sign_in_at, ...shown } = changed;
  expect(last_sign_in_at).toEqual(aTime());
  expect(result[1]).toEqual({ ...shown, role: 'member', member_id: ada.member.member_id });
});

test('200 omits expired invitations, and counts exactly', async () => {
  const late = await world.workspace();
  const people = [await world.user(), await world.user()];
  for (const [i, { email }] of people.entries())
    await as(project).invitations.create({
      workspace_id: late.workspace_id,
      ...{ email, role: 'member', expires_in: i === 0 ? 60 : 3_600 },
    });
  const pending = async (query = '') =>
    (await list(late.workspace_id, `status=pending&limit=1${query}`)).body;
  expect(await pending()).toMatchObject({ total: 2, count: 1, result: [{ uid: people[0]?.uid }] });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expect(await pending()).toMatchObject({ total: 1, count: 1, result: [{ uid: people[1]?.uid }] });
});

describe('query', async () => {
  const crowd = await world.workspace({ owner: await world.user({ email: 'boss@crowd.example' }) });
  const person = (email: string, display_name: string) => world.user({ email, display_name });
  const ada = await world.member(
    crowd,
    'admin',
    await person('ada@crowd.example', 'Augusta Ada King'),
  );
  const bea = await world.member(crowd, 'member', await person('bea@crowd.example', 'Bea  Straße'));
  const adam = await world.member(
    crowd,
    'member',
    await person('adam@crowd.example', 'ÅDAM 100% #1_'),
  );
  const guest = await world.invited(crowd, 'member', await person('guest@crowd.example', 'Adina'));
  const find = async (query: string, more = '', auth = project.basic) => {
    await world.drainStream();
    const text = encodeURIComponent(query);
    return (await list(crowd.workspace_id, `status=accepted&query=${text}${more}`, auth)).body;
  };
  const uidsOf = ({ result }: { result: { uid: string }[] }) => result.map(({ uid }) => uid);

  test.each<[string, Person[]]>([
    ['ADA', [ada, adam]],
    ['ada@crowd.example', [ada]],
    ['augusta  ada ', [ada]],
    ['bea straße', [bea]],
    ['a\u030adam', [adam]],
    ['100%', [adam]],
    ['#1_', [adam]],
    ['king#0', []],
    ['%', []],
  ])('%j finds the users with a word or e-mail that begins with it', async (text, found) => {
    const uids = found.map(({ uid }) => uid).sort();
    const body = await find(text);
    expect(uidsOf(body)).toEqual(uids);
    expect([body.total, body.count]).toEqual([uids.length, uids.length]);
  });

  test('finds each member as the whole list shows them, for every member', async () => {
    for (const auth of [crowd.owner.bearer, bea.bearer]) {
      const { result } = (await list(crowd.workspace_id, 'status=accepted', auth)).body;
      expect(await find('crowd', '', auth)).toEqual({ total: 0, count: 0, result: [] });
      const shown = result.filter(({ uid }: { uid: string }) => [ada.uid, adam.uid].includes(uid));
      expect(await find('ada', '', auth)).toEqual({ total: 2, count: 2, result: shown });
    }
  });

  test('pages by offset and by cursor list each member once', async () => {
    const all = (await find('ada')).result;
    expect(await find('ada', '&limit=1&offset=1')).toEqual({
      total: 2,
      count: 1,
      result: all.slice(1),
    });
    const path = pathOf(crowd.workspace_id, 'status=accepted&query=ada&limit=1');
    const pages = await pagesFrom(world, path, bea.bearer);
    expect(pages.flatMap(({ body }) => body.result)).toEqual(all);
  });

  test('finds pending members too', async () => {
    const pending = async (text: string) =>
      uidsOf((await list(crowd.workspace_id, `status=pending&query=${text}`)).body);
    expect(await pending('adi')).toEqual([guest.uid]);
    expect(await pending('guest@')).toEqual([guest.uid]);
    expect(await pending('ada')).toEqual([]);
  });

  test('finds a pending member by the invited e-mail, not by a later one', async () => {
    const place = await world.workspace();
    const { uid, email } = await world.invited(place);
    await as(project).users.update({ uid, email: `moved-${email}`, email_verified: true });
    await world.drainStream();
    const found = async (text: string, auth: string) =>
      (await list(place.workspace_id, `status=pending${text}`, auth)).body.result;
    for (const auth of [project.basic, place.owner.bearer]) {
      for (const text of ['', `&query=${email}`])
        expect(await found(text, auth)).toMatchObject([{ uid, email, verified: { email: false } }]);
      expect(await found('&query=moved-', auth)).toEqual([]);
    }
  });

  test('no longer finds a removed member, and finds them once they are back', async () => {
    const gone = await world.member(
      crowd,
      'member',
      await person('gone@crowd.example', 'Gonzalez'),
    );
    expect(uidsOf(await find('gonz'))).toEqual([gone.uid]);
    await as(gone).members.remove({ workspace_id: crowd.workspace_id, user_id: gone.uid });
    const { body } = await list(crowd.workspace_id, 'status=accepted&query=gonz');
    expect(body).toEqual({ total: 0, count: 0, result: [] });
    expect(uidsOf(await find('gonz'))).toEqual([]);
    const terms = await world.table.query(`FIND#${crowd.workspace_id}`, 'gon');
    expect(terms).toEqual([]);
    await world.member(crowd, 'member', gone);
    expect(uidsOf(await find('gonz'))).toEqual([gone.uid]);
  });

  test('finds no member of another workspace', async () => {
    const other = await world.workspace();
    await world.drainStream();
    expect(uidsOf((await list(other.workspace_id, 'status=accepted&query=ada')).body)).toEqual([]);
  });

  test('400 if it is blank, too long or has several lines', async () => {
    for (const text of ['', '%20', 'x'.repeat(129), 'a%0Ab'])
      expectInvalid(
        await list(crowd.workspace_id, `status=accepted&query=${text}`),
        '/query/query',
      );
  });
});

test('404 for a stranger, without a read of a far page; a near page is read in parallel', {
  tags: 'source',
}, async () => {
  const stranger = await world.user();
  await as(stranger).users.getMe();
  const { dynamodb } = await import('#shared/db/client.ts');
  const calls: unknown[] = [];
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        calls.push(commandName);
        return next(args);
      },
    { step: 'initialize', name: 'listen' },
  );
  const statuses = [];
  for (const offset of [10_000, 0])
    statuses.push(
      (await list(workspace_id, `status=accepted&offset=${offset}`, stranger.bearer)).status,
    );
  dynamodb.middlewareStack.remove('listen');
  expect(statuses).toEqual([404, 404]);
  const [far, ...near] = calls;
  expect(far).toBe('BatchGetItemCommand');
  expect(new Set(near)).toEqual(new Set(['BatchGetItemCommand', 'QueryCommand']));
  expect(near).toHaveLength(2);
});
