import { routes } from '../../shared/contract/api.ts';
import { takesKey } from '../../shared/contract/key-access.ts';
import { isForMembers } from '../../shared/contract/route.ts';
import { type Action, isGrantable, policy } from '../../shared/model/policy.ts';
import { userKey } from '../support/api-keys.ts';
import { readBudgets } from '../support/budgets/budgets.ts';
import { budgetCases } from '../support/budgets/cases.ts';
import type { Call } from '../support/call.ts';
import { roleTools } from '../support/roles.ts';
import { inProject, type TestProject, type World } from '../support/world.ts';
import { clerk } from './pairs-between.ts';

/** An outcome of an endpoint, and the number of calls that its request makes. */
export type Outcome = { route: (typeof routes)[number]; label: string; calls: number };

/** The request of an outcome, who sends it, and the project that it is about. */
export type First = { call: Call; title: string; project: TestProject };

const writing = /^(?:TransactWriteItems|PutItem|UpdateItem|DeleteItem)/;
const budgets = readBudgets();

/** Every outcome that writes, except one that puts a feed without events into the table. */
export const outcomes: readonly Outcome[] = routes.flatMap((route) =>
  Object.entries(budgets[route.name] ?? {})
    .map(([label, { rounds }]) => ({ label, names: rounds.flat() }))
    .filter(({ names }) => names.some((name) => writing.test(name)))
    .filter(({ label }) => label !== 'Basic, an event among 2,000')
    .map(({ label, names }) => ({ route, label, calls: names.length })),
);

const permissions = Object.keys(policy).filter((action) => isGrantable(action as Action));

/**
 * Prepares a request in a project of its own, by the caller of the budget case; or, where its route is for the members
 * of a workspace, mostly by a new member with a role of the project, in a session or by an API key.
 */
export async function prepare(
  world: World,
  { route, label }: Outcome,
  random: () => number,
): Promise<First> {
  let project = await world.newProject({ mfa: 'optional', workspace_roles: true });
  const here = {
    ...inProject(world, project),
    // For a case that needs other settings.
    newProject: async (settings?: object) => (project = await world.newProject(settings)),
  };
  const call = await budgetCases(here)[route.name][label]?.();
  if (!call) throw new Error(`${route.name} has no case '${label}'.`);
  const title = `${route.name} ${label}`;
  const [, workspace_id] = /^\/workspaces\/(wid-[\w-]+)/.exec(call.path) ?? [];
  // A deleted workspace takes no new members.
  const forMembers = isForMembers(route) && route.name !== 'workspaces.restore';
  if (workspace_id === undefined || !forMembers || random() < 0.25) return { call, title, project };

  await roleTools(world, project).define(clerk, permissions);
  const added = await world.user({ project, verified: true });
  const member = await world.member({ workspace_id, owner: added }, clerk, added);
  const byKey = takesKey(route, 'user') && random() < 0.5;
  const { bearer: auth } = byKey ? await userKey(world, member) : member;
  const sender = `${byKey ? 'an API key' : 'a session'} of a ${clerk}`;
  return { call: { ...call, auth }, title: `${title}, by ${sender}`, project };
}
