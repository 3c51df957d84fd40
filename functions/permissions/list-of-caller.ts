import { permissions } from '#shared/contract/permissions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/model/errors.ts';
import { readRights } from '#shared/roles/rights.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(permissions.listOfCaller, async ({ params, caller }) => {
  const { workspace_id } = params;
  const [rights] = await Promise.all([
    // `authorize` refuses members with one factor.
    readRights(caller.project_id, workspace_id, caller.uid, false),
    authorize(caller, 'workspace:read', workspace_id),
  ]);
  if (!rights) throw notFound('the caller is no member');
  return { role: rights.role, permissions: [...rights.permissions].toSorted() };
});
