import { identities } from '#shared/contract/identities.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { linkToUser, verifyIdentity } from '#shared/identity/identity-links.ts';
import { confirmSession } from '#shared/identity/reauthenticate.ts';
import { toUser } from '#shared/identity/views.ts';

export const handler = endpoint(identities.link, async ({ body, caller, now }) => {
  const { provider, current_password } = body;
  const user = await confirmSession(caller, current_password, now);
  const identity = await verifyIdentity(caller.project, body);
  return (await linkToUser(user, { provider, identity }, now)).as(toUser);
});
