import { findLiveSession } from '#shared/access/live-session.ts';
import { identities } from '#shared/contract/identities.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireCaller } from '#shared/identity/users/users.ts';
import { ApiError } from '#shared/model/errors.ts';
import { tokenAtProvider } from '#shared/providers/tokens.ts';

export const handler = endpoint(identities.getToken, async ({ params, caller, now }) => {
  const [user, session] = await Promise.all([requireCaller(caller), findLiveSession(caller, now)]);
  // Any client of the project would else reach what the user has at the provider.
  if (session?.client_id !== undefined)
    throw new ApiError('forbidden', {
      detail: 'Only a session of the user may do this, not one that an OAuth client has started',
    });
  return tokenAtProvider(caller.project, user, params.provider, now);
});
