/** @module-tag alone */
import { expect, test } from 'vitest';
import { policy } from '#shared/model/policy.ts';
import { startWorld } from '../support/world.ts';
import { type Case, cellsOf, type Guarded } from './authorization.ts';
import { ofPeople } from './authorization-of-people.ts';
import { ofWorkspaces } from './authorization-of-workspaces.ts';
import { askEveryCell } from './authorization-run.ts';

const world = await startWorld();
askEveryCell(world, ofWorkspaces);

test('the cases cover every operation and every action of the permission table, in over 5,000 cells', () => {
  const all = { ...ofPeople, ...ofWorkspaces } satisfies Record<Guarded, readonly Case[]>;
  const rules = Object.values(all).flatMap((cases: readonly Case[]) =>
    cases.map(({ rule }) => rule),
  );
  for (const action of Object.keys(policy)) expect(rules).toContain(action);
  expect(cellsOf(all).length).toBeGreaterThan(5_000);
});
