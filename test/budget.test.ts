import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { routes } from '../shared/contract/api.ts';
import { lifetimes, rates } from '../shared/model/limits.ts';
import type { Prepare } from './support/budget-case.ts';
import { budgetCases } from './support/budget-cases.ts';
import { costTables } from './support/budget-table.ts';
import { type Budgets, backgroundBudgets, budgets, coldBudgets } from './support/budgets.ts';
import type { Call } from './support/call.ts';
import { type Cost, meter } from './support/meter.ts';
import { signInProject } from './support/sign-in.ts';
import { startWorld } from './support/world.ts';

// What the bus brings to a function is measured by itself, not among what else is under way.
const world = await startWorld({ subscribers: false });
const { dynamodb } = await import('#shared/db/client.ts');
const measure = meter(dynamodb, world.table.client);
const someone = await world.user();
const costOf = async ({ refused, ...call }: Awaited<ReturnType<Prepare>>) => {
  const { result, cost } = await measure(() => world.call(call));
  const { status, body } = result;
  expect(status < 400 ? undefined : status, JSON.stringify(body)).toBe(refused);
  return cost;
};
const sum = (a: Cost, b: Cost): Cost => ({
  rounds: [...a.rounds, ...b.rounds],
  read: a.read + b.read,
  write: a.write + b.write,
});
/** After it the instance has the project and the keys in memory. */
const warmUp = () => world.call('GET', '/users/me', someone.bearer);

afterEach(() => {
  vi.useRealTimers();
});

describe.each(routes)('$name', ({ name, auth }) => {
  const cases: Record<string, Prepare> = budgetCases(world)[name];

  test('has a budget for every kind of caller', () => {
    const callers = { project: 'Basic', access: 'Bearer', refresh: 'Refresh' };
    const expected = auth.length > 0 ? auth.map((scheme) => callers[scheme]) : ['Anyone'];
    const found = Object.keys(budgets[name]).map((label) => label.split(', ')[0]);
    expect(new Set(found)).toEqual(new Set(expected));
  });

  test.each(Object.entries<Cost>(budgets[name]))(
    '%s: costs its budget',
    { timeout: 120_000 },
    async (label, budget) => {
      const call = await cases[label]?.();
      await warmUp();
      // A moment later, when no request of this instance has come to a public door of the project.
      if (auth.length === 0)
        vi.useFakeTimers({
          toFake: ['Date'],
          now: Date.now() + rates.projectDoor.seconds * 1_000,
        });
      expect(call && (await costOf(call))).toEqual(budget);
    },
  );
});

test.each([
  ['passwords.signIn', 'Anyone, wrong password'],
  ['passwords.forgot', 'Anyone, known user'],
  ['codes.start', 'Anyone, known user'],
] as const)(
  '%s: an e-mail that nobody has makes the calls of one that somebody has',
  (name, label) => {
    const cases: Record<string, Cost> = budgets[name];
    expect(cases['Anyone, unknown e-mail']).toEqual(cases[label]);
  },
);

describe('an instance that must read the project and the keys again', () => {
  const later = (lifetimes.publicKeyCache + 1) * 1_000;
  const caseOf = (operation: keyof Budgets, label: string) => {
    const cases: Record<string, Prepare> = budgetCases(world)[operation];
    const warm = (budgets[operation] as Record<string, Cost>)[label];
    return { prepare: cases[label] as Prepare, warm: warm as Cost };
  };

  test.each([
    [1, 'Bearer', 'users.getMe', 'Bearer'],
    // By now the access token has expired, which a refresh accepts.
    [2, 'Refresh', 'sessions.refresh', 'Refresh'],
    [3, 'Anyone', 'passwords.forgot', 'Anyone, unknown e-mail'],
  ] as const)('%i: %s: makes those calls first', async (times, caller, operation, label) => {
    const { prepare, warm } = caseOf(operation, label);
    const call = await prepare();
    await warmUp();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + times * later });
    expect(await costOf(call)).toEqual(sum(coldBudgets[caller], warm));
  });

  test('Basic: makes those calls first, and once a day another one beside them', async () => {
    const { prepare, warm } = caseOf('users.get', 'Basic');
    const calls = [await prepare(), await prepare()] as const;
    const tomorrow = new Date().setUTCHours(36, 0, 0, 0);
    vi.useFakeTimers({ toFake: ['Date'], now: tomorrow });
    const note = coldBudgets['Basic, once a day beside the others'];
    const [reads = [], ...others] = warm.rounds;
    const noting = { ...sum(warm, note), rounds: [[...reads, ...note.rounds.flat()], ...others] };
    expect(await costOf(calls[0])).toEqual(sum(coldBudgets.Basic, noting));
    vi.setSystemTime(tomorrow + later);
    expect(await costOf(calls[1])).toEqual(sum(coldBudgets.Basic, warm));
  });
});

describe('the functions of the stream', () => {
  const costAfter = async (call: Call) => {
    await world.drainStream();
    await world.call(call);
    return (await measure(world.drainStream)).cost;
  };

  test.each([
    ['/codes', 'known@example.com', 'a code or a link to set a password, to a known user'],
    ['/codes', 'new@example.com', 'the same to an e-mail that nobody has'],
    ['/passwords/forgotten', 'new@example.com', 'the same to an e-mail that nobody has'],
  ] as const)('%s to %s: mail for their budget', async (path, email, label) => {
    const { project, project_id } = await signInProject(world);
    await world.user({ email: 'known@example.com', project });
    const call = { method: 'POST', path, body: { project_id, email } };
    expect(await costAfter(call)).toEqual(backgroundBudgets[label]);
  });

  test('mail what is about no account for their budget', async () => {
    const { project } = await signInProject(world);
    const { bearer } = await world.user({ project });
    const call = { method: 'POST', path: '/users/me/email/verification', auth: bearer };
    expect(await costAfter(call)).toEqual(backgroundBudgets['any other mail']);
  });

  /** Each of these changes tells one event, which is recorded first. */
  const afterEvent = (label: keyof typeof backgroundBudgets) =>
    sum(backgroundBudgets['an event'], backgroundBudgets[label]);

  test('record what tells an event for its budget', async () => {
    const { workspace_id } = await world.workspace();
    const path = `/workspaces/${workspace_id}`;
    const call = { method: 'PUT', path, auth: world.project.basic, body: { name: 'Renamed' } };
    expect(await costAfter(call)).toEqual(backgroundBudgets['an event']);
  });

  test('look at a new member for its budget', async () => {
    const { workspace_id } = await world.workspace();
    const body = { workspace_id, user_id: someone.uid };
    const call = { method: 'POST', path: '/workspaces/join', auth: world.project.basic, body };
    expect(await costAfter(call)).toEqual(afterEvent('a new member, found by one term'));
  });

  test('refresh the copies of a profile for its budget', async () => {
    const person = await world.user();
    await world.workspace({ owner: person });
    for (let i = 0; i < 4; i += 1) await world.member(await world.workspace(), 'member', person);
    const body = { display_name: 'Ada' };
    const call = { method: 'PUT', path: `/users/${person.uid}`, auth: person.bearer, body };
    expect(await costAfter(call)).toEqual(
      afterEvent('profile of a member of 4 workspaces and owner of 1'),
    );
  });

  /** A workspace of so many people, who are all there. */
  const crowd = async (members: number) => {
    const workspace = await world.workspace();
    for (let i = 1; i < members; i += 1) await world.member(workspace);
    const path = `/workspaces/${workspace.workspace_id}`;
    return { remove: { method: 'DELETE', path, auth: workspace.owner.bearer }, path };
  };

  test('archive what a deleted workspace had, and restore it, for their budgets', async () => {
    const { remove, path } = await crowd(40);
    expect(await costAfter(remove)).toEqual(afterEvent('deletion of a workspace of 40 members'));
    const call = { method: 'POST', path: `${path}/restore`, auth: remove.auth };
    expect(await costAfter(call)).toEqual(afterEvent('restoring of a workspace of 40 members'));
  });

  test('remove what a deleted user had for its budget', async () => {
    const person = await world.user();
    for (let i = 0; i < 4; i += 1) await world.member(await world.workspace(), 'member', person);
    const call = { method: 'DELETE', path: `/users/${person.uid}`, auth: person.bearer };
    expect(await costAfter(call)).toEqual(
      afterEvent('deletion of a member of 4 workspaces, with its 4 events'),
    );
  });
});

test('docs/evidence/table.md shows exactly these numbers', async () => {
  const text = await readFile(new URL('../docs/evidence/table.md', import.meta.url), 'utf8');
  expect(text, 'run: npm run costs').toContain(`<!-- costs -->\n${costTables()}\n<!-- /costs -->`);
});
