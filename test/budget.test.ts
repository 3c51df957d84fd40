/**
 * @module-tag engine
 * @module-tag source
 * @module-tag proof
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { type Operation, routes } from '../shared/contract/api.ts';
import { sessionPrefix } from '../shared/db/key-prefixes.ts';
import { keys } from '../shared/db/keys.ts';
import { lifetimes } from '../shared/model/limits.ts';
import { rates } from '../shared/model/rates.ts';
import { userKey } from './support/api-keys.ts';
import { groups } from './support/budgets/budgets.ts';
import type { Prepare } from './support/budgets/case.ts';
import { budgetCases } from './support/budgets/cases.ts';
import { consumeInTurn } from './support/budgets/in-turn.ts';
import { costTables } from './support/budgets/table.ts';
import { budgets, costBeside, costWithin, sameCost, testBudgets } from './support/budgets/tests.ts';
import type { Call } from './support/call.ts';
import { type Cost, meter } from './support/meter.ts';
import { goodPassword, signInProject } from './support/sign-in.ts';
import { startWorld } from './support/world.ts';

// Event consumers are off, so that their calls do not mix with the measured ones.
const world = await startWorld({ subscribers: false });
await consumeInTurn(world);
const { dynamodb } = await import('#shared/db/client.ts');
const measure = meter(dynamodb, world.table.client);
const someone = await world.user();
const cases = budgetCases(world);
const doors = new Set<Operation>(routes.flatMap(({ name, auth }) => (auth.length > 0 ? [] : name)));

const costOf = async ({ refused, ...call }: Awaited<ReturnType<Prepare>>) => {
  const { result, cost } = await measure(() => world.call(call));
  const { status, body } = result;
  expect(status < 400 ? undefined : status, JSON.stringify(body)).toBe(refused);
  return cost;
};
/** Prepares a case and lets the instance cache the project and the keys. */
const ready = async (name: Operation, label: string) => {
  const call = await (cases[name][label] as Prepare)();
  await world.call('GET', '/users/me', someone.bearer);
  return call;
};
const moveTo = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now });
const warmCost = async (name: Operation, label: string) => {
  const call = await (cases[name][label] as Prepare)();
  // Stops the clock, so that the caches do not expire before the request. For a rate-limited public endpoint it stops
  // in a later window, without earlier requests of this instance.
  moveTo(Date.now() + (doors.has(name) ? rates.projectDoor.seconds * 1_000 : 0));
  await world.call('GET', '/users/me', someone.bearer);
  const cost = await costOf(call);
  vi.useRealTimers();
  return cost;
};

describe.each(routes)('$name', ({ name, auth }) => {
  const labels = Object.keys(cases[name]);

  test('has a budget for every kind of caller', () => {
    const callers = { project: 'Basic', access: 'Bearer', refresh: 'Refresh', cookie: 'Cookie' };
    const expected = auth.length > 0 ? auth.map((scheme) => callers[scheme]) : ['Anyone'];
    expect(new Set(labels.map((label) => label.split(', ')[0]))).toEqual(new Set(expected));
  });

  testBudgets(
    name,
    Object.fromEntries(labels.map((label) => [label, () => warmCost(name, label)])),
  );
});

test.each([
  ['passwords.signIn', 'Anyone, wrong password'],
  ['passwords.forgot', 'Anyone, known user'],
  ['codes.start', 'Anyone, known user'],
  ['links.start', 'Anyone, known user'],
] as const)('%s: an unknown e-mail makes the same calls as a known one', (name, label) => {
  const { [label]: known, 'Anyone, unknown e-mail': unknown } = budgets[name] ?? {};
  expect(known).toBeDefined();
  expect(unknown).toEqual(known);
});

describe('an instance that must read the project and the keys again reads them first', () => {
  const later = (lifetimes.publicKeyCache + 1) * 1_000;
  // Each is later than the one before, which has read them too.
  const first = async (times: number, name: Operation, label: string) => {
    const warm = await warmCost(name, label);
    const call = await ready(name, label);
    moveTo(Date.now() + times * later);
    return costBeside('before', warm, await costOf(call));
  };
  const measureBasic = async () => {
    const warm = await warmCost('users.get', 'Basic');
    const calls = [await ready('users.get', 'Basic'), await ready('users.get', 'Basic')] as const;
    const tomorrow = new Date().setUTCHours(36, 0, 0, 0);
    moveTo(tomorrow);
    const noting = await costOf(calls[0]);
    moveTo(tomorrow + later);
    const other = await costOf(calls[1]);
    const cold = costBeside('before', warm, other);
    return { cold, note: costWithin(cold.rounds.length, other, noting) };
  };
  let basic: ReturnType<typeof measureBasic> | undefined;

  testBudgets('new instance', {
    Bearer: () => first(1, 'users.getMe', 'Bearer'),
    // By now the access token has expired, which a refresh accepts. The project, which names the clients whose sessions
    // are renewed, is read beside the keys and before the rotation.
    'Refresh, with its own calls': async () => {
      const call = await ready('sessions.refresh', 'Refresh');
      moveTo(Date.now() + 2 * later);
      return costOf(call);
    },
    Anyone: () => first(3, 'passwords.forgot', 'Anyone, unknown e-mail'),
    Basic: async () => (await (basic ??= measureBasic())).cold,
    'Basic, once a day beside the others': async () => (await (basic ??= measureBasic())).note,
  });
});

describe('the functions of the stream', () => {
  const costAfter = async (call: Call) => {
    await world.drainStream();
    await world.call(call);
    return (await measure(world.drainStream)).cost;
  };
  let recording: Promise<Cost> | undefined;
  /** The cost of recording an event, which is the only consequence of a new description. */
  const anEvent = () =>
    (recording ??= (async () => {
      const { workspace_id } = await world.workspace();
      const path = `/workspaces/${workspace_id}`;
      const body = { description: 'Changed' };
      return costAfter({ method: 'PUT', path, auth: world.project.basic, body });
    })());
  let counting: Promise<Cost> | undefined;
  /** The same for an event that changes the totals or the counters of its day, here the start of a session. */
  const aCountedEvent = () =>
    (counting ??= (async () => {
      const [auth, body] = [world.project.basic, { uid: someone.uid }];
      return costAfter({ method: 'POST', path: '/sessions', auth, body });
    })());
  /** The cost of the consequences of a change, without recording its one event, which happens first. */
  const costAfterEvent = async (call: Call, event = aCountedEvent) =>
    costBeside('after', await event(), await costAfter(call));
  const memberOfFour = async () => {
    const person = await world.user();
    for (let i = 0; i < 4; i += 1) await world.member(await world.workspace(), 'member', person);
    return person;
  };
  /** Of existing users. */
  /** Merges the reads of concurrently processed members: the number of their rounds is random. */
  const readTogether = (cost: Cost): Cost => {
    const rounds: (readonly string[])[] = [];
    const usersIn = (calls: readonly string[] = []) =>
      Number(/^BatchGetItem (\d+) user$/.exec(calls.join())?.[1] ?? 0);
    for (const round of cost.rounds) {
      const [before, now] = [usersIn(rounds.at(-1)), usersIn(round)];
      if (before > 0 && now > 0) rounds.splice(-1, 1, [`BatchGetItem ${before + now} user`]);
      else rounds.push(round);
    }
    return { ...cost, rounds };
  };
  const measureWorkspaceOf40 = async () => {
    const workspace = await world.workspace();
    for (let i = 1; i < 40; i += 1) await world.member(workspace);
    const [path, auth] = [`/workspaces/${workspace.workspace_id}`, workspace.owner.bearer];
    return {
      deletion: await costAfterEvent({ method: 'DELETE', path, auth }),
      restoring: readTogether(
        await costAfterEvent({ method: 'POST', path: `${path}/restore`, auth }),
      ),
    };
  };
  let crowd: ReturnType<typeof measureWorkspaceOf40> | undefined;

  testBudgets('stream', {
    'profile of a member of 4 workspaces and owner of 1': async () => {
      const person = await memberOfFour();
      await world.workspace({ owner: person });
      const body = { display_name: 'Ada' };
      // Writes the search terms of each copy that changed what it is found by.
      const path = `/users/${person.uid}`;
      return costAfterEvent({ method: 'PUT', path, auth: person.bearer, body }, anEvent);
    },
    'a new member, found by one term': async () => {
      const { workspace_id } = await world.workspace();
      const body = { workspace_id, user_id: someone.uid };
      const auth = world.project.basic;
      return costAfterEvent({ method: 'POST', path: '/workspaces/join', auth, body });
    },
    'deletion of a workspace of 40 members': async () =>
      (await (crowd = measureWorkspaceOf40())).deletion,
    'restoring of a workspace of 40 members': async () => {
      const measured = crowd ?? measureWorkspaceOf40();
      // A test that is tried again measures again.
      crowd = undefined;
      return (await measured).restoring;
    },
    // The search terms of four: the user is the fourth of those that are followed up side by side.
    'deletion of a member of 4 workspaces, with its 4 events': async () => {
      const { uid, bearer } = await memberOfFour();
      return costAfterEvent({ method: 'DELETE', path: `/users/${uid}`, auth: bearer });
    },
    // Their entries in the lists of the project, and the search terms: no request writes them.
    'a new user with a first and a last name': async () => {
      const body = { email: 'new@example.com', name: { given_name: 'Ada', family_name: 'King' } };
      return costAfter({ method: 'POST', path: '/users', auth: world.project.basic, body });
    },
    'a new workspace with a name of one word': async () => {
      // Not the first of its month.
      await world.workspace();
      const [auth, body] = [world.project.basic, { name: 'Engines', owner_id: someone.uid }];
      return costAfter({ method: 'POST', path: '/workspaces', auth, body });
    },
    'the first use of an API key': async () => {
      const { bearer: auth } = await userKey(world, await world.user());
      const cost = await costAfter({ method: 'GET', path: '/users/me', auth });
      return costBeside('before', await anEvent(), cost);
    },
    'an event': anEvent,
    'an event that is counted': aCountedEvent,
    'the first renewal of a session on a day without a sign-in': async () => {
      const { uid, access_token, refresh_token } = await world.user();
      await world.drainStream();
      const [session] = await world.table.query(keys.user(uid).pk, sessionPrefix);
      const yesterday = new Date(Date.now() - 86_400_000).toISOString();
      await world.table.put({ ...session, rotated_at: yesterday });
      await world.drainStream();
      await world.table.update(keys.logHead(keys.user(uid).pk), {
        active_days: [yesterday.slice(0, 10)],
      });
      const [path, auth] = ['/sessions/token/refresh', `Bearer ${refresh_token}`];
      return costAfter({ method: 'POST', path, auth, body: { accessToken: access_token } });
    },
  });

  const costOfMail = async (path: '/codes' | '/passwords/forgotten', email: string) => {
    const { project, project_id } = await signInProject(world);
    await world.user({ email: 'known@example.com', project });
    return costAfter({ method: 'POST', path, body: { project_id, email } });
  };

  testBudgets('mail delivery', {
    'a code or a link to set a password, to a known user': () =>
      costOfMail('/codes', 'known@example.com'),
    'the same to an e-mail that nobody has': async () => {
      const cost = await costOfMail('/codes', 'new@example.com');
      return sameCost(cost, await costOfMail('/passwords/forgotten', 'new@example.com'));
    },
    'any other mail': async () => {
      const { project } = await signInProject(world);
      const { bearer } = await world.user({ project });
      return costAfter({ method: 'POST', path: '/users/me/email/verification', auth: bearer });
    },
    // Counted, because a user may cause any number.
    'a notice about a change of an account, with its event': async () => {
      const ours = await signInProject(world);
      const { bearer: auth } = await ours.signUp('changes@example.com');
      const body = { current_password: goodPassword, new_password: `new ${goodPassword}` };
      return costAfter({ method: 'PUT', path: '/users/me/password', auth, body });
    },
    // Written by the stream, for each member, and then sent.
    'to a member, that a workspace requires a second factor': async () => {
      const { project } = await signInProject(world, { mfa: 'optional' });
      const { workspace_id } = await world.workspace({
        owner: await world.user({ project, verified: true }),
      });
      const path = `/workspaces/${workspace_id}`;
      const body = { require_mfa: true };
      return costAfterEvent({ method: 'PUT', path, auth: project.basic, body }, anEvent);
    },
  });
});

test('test/budgets.json has every group, and no other', () => {
  expect(Object.keys(budgets), 'run: npm run costs -- --record').toEqual(groups);
});

test('docs/evidence/table.md shows exactly these numbers', async () => {
  const text = await readFile(new URL('../docs/evidence/table.md', import.meta.url), 'utf8');
  const [, tables] = /<!-- costs -->\n([^]*)\n<!-- \/costs -->/.exec(text) ?? [];
  expect(tables, 'run: npm run costs').toBe(costTables(budgets));
});
