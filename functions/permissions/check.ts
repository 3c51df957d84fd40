import { permissions } from '#shared/contract/permissions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError, type FieldError } from '#shared/model/errors.ts';
import { readRights } from '#shared/roles/rights.ts';
import { getRoles } from '#shared/roles/stored.ts';
import { profileOf } from '#shared/workspaces/members/profile-projection.ts';
import { isCallerSingleFactor } from '#shared/workspaces/second-factor.ts';

export const handler = endpoint(permissions.check, async ({ body, caller }) => {
  const { project_id } = caller;
  const self = caller.kind === 'person' ? caller.uid : undefined;
  const errors: FieldError[] = [];
  const checks = body.checks.map(({ user_id = self, ...check }, i) => {
    const pointer = `/body/checks/${i}/user_id`;
    if (user_id === undefined)
      errors.push({ pointer, detail: 'Is required with a Basic credential' });
    else if (self !== undefined && user_id !== self)
      errors.push({ pointer, detail: 'Must be your own' });
    return { ...check, uid: user_id ?? '' };
  });
  if (errors.length > 0) throw new ApiError('invalid_request', { errors });
  const roles = getRoles(project_id);
  const singleFactor = isCallerSingleFactor(caller);
  const results = await Promise.all(
    checks.map(async ({ workspace_id, uid, permissions: required }) => {
      const rights = await readRights(project_id, workspace_id, uid, singleFactor, roles);
      // A caller's own session is live. Of others the member's copy of the profile says it, a second or so later.
      const isDisabled = self === undefined && rights && profileOf(rights.member).disabled === true;
      if (!rights || isDisabled) return { allowed: false, missing: required };
      const missing = required.filter((each) => !rights.permissions.has(each));
      return { allowed: missing.length === 0, role: rights.role, missing };
    }),
  );
  return { results };
});
