import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { identities } from '#shared/contract/identities.ts';
import { giveBack, originOf, take } from '#shared/db/rate-limits.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { verifyIdentity } from '#shared/identity/identity-links.ts';
import { signInByIdentity } from '#shared/identity/identity-sign-in.ts';
import { issueTokens } from '#shared/identity/session-response.ts';
import { openingOf, requireOffering } from '#shared/identity/sign-in.ts';

export const handler = endpoint(identities.signIn, async ({ body, client, now }) => {
  const { project_id, provider, agreed_terms } = body;
  const project = await requireOffering(project_id);
  const origin = originOf(project_id, client.address);
  await take('failuresFromOne', origin, now);
  const [identity, keys] = await Promise.all([verifyIdentity(project, body), getSigningKeys()]);
  giveBack('failuresFromOne', origin, now);
  const opening = openingOf(provider, client);
  const entry = { project, provider, identity, opening, agreed_terms };
  const signIn = await signInByIdentity(entry, now);
  return signIn.as(({ session, user, created }) => issueTokens(session, user, keys, created));
});
