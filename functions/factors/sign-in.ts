import { factors } from '#shared/contract/factors.ts';
import { finishSignIn, takeSecondStep } from '#shared/factors/mfa-sign-in.ts';
import { proveFactor } from '#shared/factors/prove.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { issueTokensFor } from '#shared/identity/token-claims.ts';

export const handler = endpoint(factors.signIn, async ({ body, client, now }) => {
  const step = await takeSecondStep(body, client, now, ({ user }, key) =>
    proveFactor(user.uid, body, key, now),
  );
  const signIn = await finishSignIn(step, now);
  return signIn.as((signedIn) => issueTokensFor(step.project, signedIn, step.keys));
});
