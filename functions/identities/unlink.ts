import { identities } from '#shared/contract/identities.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { unlinkFromUser } from '#shared/identity/identities/identity-links.ts';
import { reauthenticate } from '#shared/identity/sign-in/reauthenticate.ts';
import { toUser } from '#shared/identity/users/views.ts';

export const handler = endpoint(identities.unlink, async ({ params, body, caller, now }) => {
  const { project, session_id } = caller;
  const user = await reauthenticate(caller, body.current_password, now);
  const unlinked = await unlinkFromUser({ user, session_id }, params.provider, project, now);
  return unlinked.as(toUser);
});
