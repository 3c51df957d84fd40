import { identities } from '#shared/contract/identities.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import {
  linkToUser,
  requireIdentityProvider,
  verifyIdentity,
} from '#shared/identity/identities/identity-links.ts';
import { reauthenticate } from '#shared/identity/sign-in/reauthenticate.ts';
import { toUser } from '#shared/identity/users/views.ts';
import { invalidField } from '#shared/model/errors.ts';
import { requireProviderCodeOf } from '#shared/providers/codes.ts';

export const handler = endpoint(identities.link, async ({ body, caller, now }) => {
  const { provider, id_token, nonce, code, code_verifier, current_password } = body;
  const { project, session_id } = caller;
  const owner = { session_id, user: await reauthenticate(caller, current_password, now) };
  if (code === undefined) {
    requireIdentityProvider(project, provider);
    if (id_token === undefined)
      throw invalidField('/body/id_token', 'Must have either id_token or code');
    const identity = await verifyIdentity(project, { provider, id_token, nonce });
    return (await linkToUser(owner, { provider, identity }, now)).as(toUser);
  }
  if (id_token !== undefined)
    throw invalidField('/body/id_token', 'Must have either id_token or code');
  if (code_verifier === undefined)
    throw invalidField('/body/code_verifier', 'Is required with code');
  const presented = { provider, code, code_verifier };
  const { used, ...account } = await requireProviderCodeOf(project, presented, now);
  return (await linkToUser(owner, { provider, ...account }, now, { used })).as(toUser);
});
