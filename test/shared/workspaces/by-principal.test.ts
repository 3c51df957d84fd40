import { expect, test } from 'vitest';
import { put, update } from '#shared/db/change.ts';
import { where } from '#shared/db/condition.ts';
import { keys } from '#shared/db/keys.ts';
import { noDefinitions } from '#shared/roles/definitions.ts';
import { assertRolesUnchanged } from '#shared/roles/stored.ts';
import { byPrincipal } from '#shared/workspaces/by-principal.ts';
import type { WorkspaceItem } from '#shared/workspaces/items.ts';

const key = keys.workspace('w');
const condition = where('#total_member_count < :most', { most: 10 });
const limited = update<WorkspaceItem>(key, { set: { name: 'New' } }, condition);
const free = put<WorkspaceItem>({ ...key, workspace_id: 'w' } as WorkspaceItem);
const owner = { standing: 'owner', role: 'admin', uid: 'ada' } as const;
const admin = { ...owner, standing: 'admin' } as const;

test("a write keeps its own condition beside the owner's", () => {
  const { workspace } = byPrincipal({ workspace: limited }, 'w', owner);
  expect(workspace.condition?.expression).toContain(condition.expression);
  expect(workspace.condition?.expression).toContain('#owner_id = :acting_owner');
});

test("a write without a condition gets the owner's, but none for an admin or a backend", () => {
  const { workspace } = byPrincipal({ workspace: free }, 'w', owner);
  expect(workspace.condition?.expression).toBe('#owner_id = :acting_owner');
  for (const manager of [admin, undefined])
    expect(byPrincipal({ workspace: free }, 'w', manager).workspace).toEqual(free);
});

test('a write by a custom role requires the roles to be unchanged', () => {
  const roles = { project_id: 'p', version: 'v', definitions: noDefinitions };
  const held = byPrincipal({ workspace: free }, 'w', { ...admin, role: 'clerk', roles });
  expect(held).toMatchObject({ roles: assertRolesUnchanged(roles) });
  expect(byPrincipal({ workspace: free }, 'w', admin)).not.toHaveProperty('roles');
});
