import { passkeys } from '#shared/contract/passkeys.ts';
import { change } from '#shared/db/change.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireSignInMethod } from '#shared/identity/sign-in/sign-in.ts';
import { newPasskeyChallenge } from '#shared/passkeys/challenges.ts';
import { requestOptions } from '#shared/passkeys/options.ts';

export const handler = endpoint(passkeys.startSignIn, async ({ body, now }) => {
  const { project_id } = body;
  const project = await requireSignInMethod(project_id, 'passkeys');
  const { challenge, writes } = newPasskeyChallenge({ purpose: 'sign_in', project_id }, now);
  return change(writes, { publicKey: requestOptions(project, challenge) });
});
