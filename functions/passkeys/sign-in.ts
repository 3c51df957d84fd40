import { passkeys } from '#shared/contract/passkeys.ts';
import { beginAtDevice } from '#shared/factors/answer-sign-in.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { attemptSignIn } from '#shared/identity/sign-in/attempt-sign-in.ts';
import { requireSignInMethod } from '#shared/identity/sign-in/sign-in.ts';
import { passkeyMethod } from '#shared/passkeys/passkeys.ts';
import { signInByPasskey, verifyPasskey } from '#shared/passkeys/sign-in.ts';

export const handler = endpoint(passkeys.signIn, async ({ body, client, now }) => {
  const project = await requireSignInMethod(body.project_id, 'passkeys');
  const { proven, signingKeys, originBy } = await attemptSignIn(
    body,
    passkeyMethod,
    client,
    now,
    () => verifyPasskey(project, body.credential, now),
  );
  const entry = { project, proof: proven, origin: originBy(passkeyMethod) };
  const signIn = await signInByPasskey(entry, now);
  return signIn.as((signedIn) => beginAtDevice(project, signedIn, signingKeys));
});
