import { factors } from '#shared/contract/factors.ts';
import { requireMfa, startTotp } from '#shared/factors/enrol.ts';
import { getFactorKey } from '#shared/factors/factors.ts';
import { requireMfaToken } from '#shared/factors/mfa-sign-in.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requirePublicProject } from '#shared/identity/sign-in/sign-in.ts';

export const handler = endpoint(factors.startEnrolment, async ({ body, now }) => {
  const { project_id, mfa_token } = body;
  const project = await requirePublicProject(project_id);
  requireMfa(project);
  const [{ token, user }, key] = await Promise.all([
    requireMfaToken(mfa_token, project, now),
    getFactorKey(),
  ]);
  return startTotp({ project, session_id: token.pk, ends: token.expires_at }, user, key, now);
});
