import { roles } from '#shared/contract/roles.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { ApiError } from '#shared/model/errors.ts';
import { defineRole } from '#shared/roles/change-roles.ts';
import { problemsOf } from '#shared/roles/definitions.ts';
import { getRoles, versionItem } from '#shared/roles/stored.ts';
import { findRole, toRole } from '#shared/roles/views.ts';

export const handler = endpoint(roles.set, async ({ params, body, caller, match }) => {
  const { role } = params;
  const stored = await getRoles(caller.project_id);
  const errors = problemsOf(role, body, stored.definitions);
  if (errors.length > 0) throw new ApiError('invalid_request', { errors });
  const before = findRole(role, stored.definitions);
  if (match && !before) throw new ApiError('precondition_failed');
  if (before) match?.(versionItem(stored), before);
  return defineRole(stored, role, body).as((definitions) =>
    reply(toRole(role, definitions), { status: before ? 200 : 201 }),
  );
});
