import { identities } from '#shared/contract/identities.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireUser } from '#shared/identity/users/users.ts';
import { tokenAtProvider } from '#shared/providers/tokens.ts';

export const handler = endpoint(identities.getTokenOfUser, async ({ params, caller, now }) => {
  const user = await requireUser(caller.project_id, params.uid);
  return tokenAtProvider(caller.project, user, params.provider, now);
});
