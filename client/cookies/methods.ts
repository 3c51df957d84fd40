import { type AskedCaptcha, type SolveCaptcha, withCaptcha } from '../captcha/with-captcha.ts';
import type { Client } from '../client.ts';
import type { Session, User } from '../generated/api.ts';
import type { Request } from './post.ts';

/** What an operation of the service takes, without the project, which the backend fills in. */
type Input<Call extends Operation> = Omit<Parameters<Call>[0], 'project_id'>;
type Output<Call extends Operation> = Awaited<ReturnType<Call>>['body'];
type Operation = (input: never) => Promise<{ body: unknown }>;

/** What the handler answers: an access token and the seconds that it is good for. */
export type Token = { access_token: string; expires_in: number; uid: string; user?: User };

export type Started = Pick<Session, 'uid' | 'user' | 'user_created'>;

/** Shows recovery codes, and resolves when who sees them has kept them. */
export type KeepCodes = (recovery_codes: readonly string[]) => Promise<void>;

type Sending = {
  post: <Body>(...request: Request) => Promise<Body>;
  /** Sends a sign-in, and signs this page in. */
  start: (...request: Request) => Promise<Started>;
  /** The same, once `keep` has shown the recovery codes. */
  enrol: (input: object, keep: KeepCodes) => Promise<Started>;
  captcha: SolveCaptcha | undefined;
};

/** The ways to sign in, at the paths of the cookie handler. */
export function signInMethods({ post, start, enrol, captcha }: Sending) {
  const asks =
    <Call extends Operation>(route: string) =>
    (input: Input<Call>) =>
      post<Output<Call>>(route, input);
  const asksSolved = <Call extends Operation>(action: AskedCaptcha['action'], route: string) =>
    withCaptcha(captcha, action, asks<Call>(route));
  const starts =
    <Call extends Operation>(route: string) =>
    (input: Input<Call>, call?: Request[2]) =>
      start(route, input, call);

  return {
    signIn: {
      password: withCaptcha(
        captcha,
        'sign_in',
        starts<Client['passwords']['signIn']>('/sign-in/password'),
      ),
      /** Mails a code; keep the `challenge_id` for `code`. */
      startCode: asksSolved<Client['codes']['start']>('code', '/sign-in/code/start'),
      code: starts<Client['codes']['verify']>('/sign-in/code'),
      /** What `navigator.credentials.get` needs; the entry `./passkeys` does both. */
      startPasskey: () =>
        post<Output<Client['passkeys']['startSignIn']>>('/sign-in/passkey/start', {}),
      passkey: starts<Client['passkeys']['signIn']>('/sign-in/passkey'),
      /** With the ID token of an identity provider. */
      identity: starts<Client['identities']['signIn']>('/sign-in/identity'),
      /** With the code of a sign-in at a provider; the entry `./providers` does all steps. */
      provider: starts<Client['providers']['signIn']>('/sign-in/provider'),
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
        confirm: enrol as (
          input: Input<Client['factors']['confirmEnrolment']>,
          keep: KeepCodes,
        ) => Promise<Started>,
      },
    },
    signUp: {
      /** Mails a link whose page calls `complete`. */
      start: asksSolved<Client['passwords']['signUp']>('sign_up', '/sign-up'),
      /** Sets the password with the token of a mail, also of `forgotPassword`, and signs in. */
      complete: starts<Client['passwords']['set']>('/password'),
    },
    /** Mails a link whose page calls `signUp.complete`. */
    forgotPassword: asksSolved<Client['passwords']['forgot']>('reset_password', '/forgotten'),
  };
}
