import { originOf } from '#shared/auth/counted.ts';
import { verifyIdentity } from '#shared/auth/identity-links.ts';
import { signInByIdentity } from '#shared/auth/identity-sign-in.ts';
import { issueTokens } from '#shared/auth/issue.ts';
import { openingOf, requireOffering } from '#shared/auth/sign-in.ts';
import { getSigningKeys } from '#shared/auth/signing-secret.ts';
import { identities } from '#shared/contract/identities.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { giveBack, take } from '#shared/table/rates.ts';

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
