import { factors } from '#shared/contract/factors.ts';
import { beginAtDevice } from '#shared/factors/answer-sign-in.ts';
import { confirmFactor, countEnrolment, enrolled, factorAdded } from '#shared/factors/enrol.ts';
import { startAfterFactor, takeSecondStep } from '#shared/factors/mfa-sign-in.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { noticeTo } from '#shared/mail/mails.ts';

export const handler = endpoint(factors.confirmEnrolment, async ({ body, client, now }) => {
  const step = await takeSecondStep(body, client, now, async ({ token, user }, key) =>
    confirmFactor(await countEnrolment(user.uid, token.pk, now), body.code, key, now),
  );
  const { project, user, token, signingKeys, proven } = step;
  const signIn = await startAfterFactor(
    step,
    {
      factor: proven.write,
      secondFactor: 'totp',
      changes: enrolled(user, token.method, now),
      events: [factorAdded],
      notice: noticeTo(user, 'factor_added', {}, now).notice,
    },
    now,
  );
  return signIn.as(async (signedIn) => ({
    ...(await beginAtDevice(project, signedIn, signingKeys)),
    recovery_codes: proven.recovery_codes,
  }));
});
