import type { Entered, PageAuth } from './auth.ts';
import type { KeepCodes } from './cookies/methods.ts';
import type { Api, TotpEnrolment } from './generated/api.ts';
import { enrolmentRoutes } from './generated/enrolment-routes.ts';
import { factorRoutes } from './generated/factor-routes.ts';

/** The operations of the signed-in user's second factor, and the one that reauthenticates. */
export type Factors = {
  factors: Pick<Api['factors'], keyof typeof factorRoutes.factors>;
  sessions: Pick<Api['sessions'], keyof typeof factorRoutes.sessions>;
};

/** What `auth.api` does not have, because few pages need it. */
export const factorsOf = (auth: Pick<PageAuth, 'extend'>): Factors =>
  auth.extend(factorRoutes) as Factors;

type Enrolment = { factors: Pick<Api['factors'], keyof typeof enrolmentRoutes.factors> };
const enrolmentOf = (auth: PageAuth) => (auth.extend(enrolmentRoutes) as Enrolment).factors;

/** The session fills its project in. */
const ofProject = <Input extends object>(input: Input) => input as Input & { project_id: string };

/** A sign-in that waits: the `mfa_token` of an `ApiError` with the code `mfa_required` whose `methods` is `enrol`. */
type Waiting = { mfa_token: string };

/**
 * Starts to add the authenticator app that a sign-in requires. Show `uri` as a QR code, and `secret` to who cannot
 * scan.
 */
export async function startEnrolment(
  auth: PageAuth,
  { mfa_token }: Waiting,
): Promise<TotpEnrolment> {
  const { enrol } = auth.signIn;
  if (enrol) return enrol.start({ mfa_token });
  return (await enrolmentOf(auth).startEnrolment(ofProject({ mfa_token }))).body;
}

/**
 * Adds that app by its first code, and signs in when `keep` resolves: it shows the recovery codes, which do not come
 * again, and a page that is signed in may show something else.
 */
export async function signInByEnrolment(
  auth: PageAuth,
  { mfa_token, code }: Waiting & { code: string },
  keep: KeepCodes,
): Promise<Entered> {
  const { enrol, take, device } = auth.signIn;
  if (enrol) return enrol.confirm({ mfa_token, code }, keep);
  if (!take) throw new TypeError('This is no session that can take a sign-in.');
  const confirming = enrolmentOf(auth).confirmEnrolment(
    ofProject({ ...device?.(), mfa_token, code }),
  );
  return take(
    confirming.then(async (answer) => {
      await keep(answer.body.recovery_codes);
      return answer;
    }),
  );
}
