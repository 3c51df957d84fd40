import { identities } from '#shared/contract/identities.ts';
import { answerSignIn } from '#shared/factors/answer-sign-in.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { verifyIdentity } from '#shared/identity/identities/identity-links.ts';
import { signInByIdentity } from '#shared/identity/identities/identity-sign-in.ts';
import { attemptSignIn } from '#shared/identity/sign-in/attempt-sign-in.ts';
import { requirePublicProject } from '#shared/identity/sign-in/sign-in.ts';

export const handler = endpoint(identities.signIn, async ({ body, client, now }) => {
  const { project_id, provider, agreed_terms } = body;
  const project = await requirePublicProject(project_id);
  const { proven, signingKeys, originBy } = await attemptSignIn(body, provider, client, now, () =>
    verifyIdentity(project, body),
  );
  const entry = { project, provider, identity: proven, agreed_terms, origin: originBy(provider) };
  const signIn = await signInByIdentity(entry, now);
  return signIn.as((result) => answerSignIn(project, result, signingKeys));
});
