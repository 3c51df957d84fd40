import { factors } from '#shared/contract/factors.ts';
import { beginAtDevice } from '#shared/factors/answer-sign-in.ts';
import { finishSignIn, takeSecondStep } from '#shared/factors/mfa-sign-in.ts';
import { proveFactor } from '#shared/factors/prove.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(factors.signIn, async ({ body, client, now }) => {
  const step = await takeSecondStep(body, client, now, ({ user }, key) =>
    proveFactor(user.uid, body, key, now),
  );
  const signIn = await finishSignIn(step, now);
  return signIn.as((signedIn) => beginAtDevice(step.project, signedIn, step.signingKeys));
});
