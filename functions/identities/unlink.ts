import { confirmSession } from '#shared/auth/confirm-password.ts';
import { unlinkFromUser } from '#shared/auth/identity-links.ts';
import { identities } from '#shared/contract/identities.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { viewUser } from '#shared/views.ts';

export const handler = endpoint(identities.unlink, async ({ params, body, caller, now }) => {
  const user = await confirmSession(caller, body.current_password, now);
  return unlinkFromUser(user, params.provider, caller.project, now).as(viewUser);
});
