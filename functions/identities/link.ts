import { identities } from '#shared/contract/identities.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { linkToUser, verifyIdentity } from '#shared/identity/identity-links.ts';
import { confirmSession } from '#shared/identity/reauthenticate.ts';
import { toUser } from '#shared/identity/views.ts';
import { invalidField } from '#shared/model/errors.ts';
import { requireProviderCodeOf } from '#shared/providers/codes.ts';

export const handler = endpoint(identities.link, async ({ body, caller, now }) => {
  const { provider, id_token, nonce, code, code_verifier, current_password } = body;
  if ((id_token === undefined) === (code === undefined))
    throw invalidField('/body/id_token', 'Must have either id_token or code');
  if (code !== undefined && code_verifier === undefined)
    throw invalidField('/body/code_verifier', 'Is required with code');
  const user = await confirmSession(caller, current_password, now);
  if (code !== undefined && code_verifier !== undefined) {
    const presented = { code, code_verifier, provider };
    const { identity, used } = await requireProviderCodeOf(caller.project, presented, now);
    return (await linkToUser(user, { provider, identity }, now, { used })).as(toUser);
  }
  const given = { provider, id_token: id_token ?? '', nonce };
  const identity = await verifyIdentity(caller.project, given);
  return (await linkToUser(user, { provider, identity }, now)).as(toUser);
});
