import type { Client } from './client.ts';
import type { Session } from './generated/api.ts';
import { type SolveCaptcha, withCaptcha } from './with-captcha.ts';

/** What an operation of the service takes, without the project, which the backend fills in. */
type Input<Call extends Operation> = Omit<Parameters<Call>[0], 'project_id'>;
type Output<Call extends Operation> = Awaited<ReturnType<Call>>['body'];
type Operation = (input: never) => Promise<{ body: unknown }>;

export type Started = Pick<Session, 'uid' | 'user' | 'user_created'>;

/** Shows recovery codes, and resolves when who sees them has kept them. */
export type Keep = (recovery_codes: readonly string[]) => Promise<void>;

/**
 * The ways to sign in, at the paths of the cookie handler.
 *
 * @param by.start sends a sign-in, and signs this page in
 * @param by.enrol the same, once `keep` has shown the recovery codes
 */
export function waysToSignIn(by: {
  post: <Body>(route: string, input: object) => Promise<Body>;
  start: (route: string, input: object) => Promise<Started>;
  enrol: (input: object, keep: Keep) => Promise<Started>;
  captcha: SolveCaptcha | undefined;
}) {
  const { post, start, enrol, captcha } = by;
  const asks =
    <Call extends Operation>(route: string) =>
    (input: Input<Call>) =>
      post<Output<Call>>(route, input);
  const starts =
    <Call extends Operation>(route: string) =>
    (input: Input<Call>) =>
      start(route, input);

  return {
    signIn: {
      password: withCaptcha(
        captcha,
        'sign_in',
        starts<Client['passwords']['signIn']>('/sign-in/password'),
      ),
      /** Mails a code; keep the `challenge_id` for `code`. */
      startCode: withCaptcha(
        captcha,
        'code',
        asks<Client['codes']['start']>('/sign-in/code/start'),
      ),
      code: starts<Client['codes']['verify']>('/sign-in/code'),
      /** What `navigator.credentials.get` needs; the entry `./passkeys` does both. */
      startPasskey: () =>
        post<Output<Client['passkeys']['startSignIn']>>('/sign-in/passkey/start', {}),
      passkey: starts<Client['passkeys']['signIn']>('/sign-in/passkey'),
      /** With the ID token of an identity provider. */
      identity: starts<Client['identities']['signIn']>('/sign-in/identity'),
      /** The second step: with the `mfa_token` of an `ApiError` whose code is `mfa_required`. */
      mfa: starts<Client['factors']['signIn']>('/sign-in/mfa'),
      /** By a mailed link: the entry `./links` does all steps. */
      link: {
        start: asks<Client['links']['start']>('/sign-in/link/start'),
        signIn: starts<Client['links']['signIn']>('/sign-in/link'),
        showCode: asks<Client['links']['showCode']>('/sign-in/link/code'),
      },
      /** Adds the authenticator app that a sign-in requires: the entry `./factors` does both steps. */
      enrol: {
        start: asks<Client['factors']['startEnrolment']>('/sign-in/enrol/start'),
        confirm: (input: Input<Client['factors']['confirmEnrolment']>, keep: Keep) =>
          enrol(input, keep),
      },
    },
    signUp: {
      /** Mails a link whose page calls `complete`. */
      start: withCaptcha(captcha, 'sign_up', asks<Client['passwords']['signUp']>('/sign-up')),
      /** Sets the password with the token of a mail, also of `forgotPassword`, and signs in. */
      complete: starts<Client['passwords']['set']>('/password'),
    },
    /** Mails a link whose page calls `signUp.complete`. */
    forgotPassword: withCaptcha(
      captcha,
      'reset_password',
      asks<Client['passwords']['forgot']>('/forgotten'),
    ),
  };
}
