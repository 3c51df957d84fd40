import { unlinkFromUser } from '#shared/auth/identity-links.ts';
import { identities } from '#shared/contract/identities.ts';
import { Failure } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUser } from '#shared/table/users.ts';
import { viewUser } from '#shared/views.ts';

export const handler = endpoint(identities.unlink, async ({ params, caller, now }) => {
  const user = await getUser(caller.project_id, caller.uid);
  if (!user) throw new Failure('unauthenticated');
  return viewUser(await unlinkFromUser(user, params.provider, caller.project, now));
});
