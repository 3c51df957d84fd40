import { identities } from '#shared/contract/identities.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUser } from '#shared/identity/users.ts';
import { ApiError } from '#shared/model/errors.ts';
import { tokenAtProvider } from '#shared/providers/tokens.ts';

export const handler = endpoint(identities.getToken, async ({ params, caller, now }) => {
  const user = await getUser(caller.project_id, caller.uid);
  if (!user) throw new ApiError('unauthenticated', { reason: 'the user was deleted' });
  return tokenAtProvider(caller.project, user, params.provider, now);
});
