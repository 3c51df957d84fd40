import type { CallOptions } from '../call.ts';
import { type SolveCaptcha, withCaptcha } from '../captcha/with-captcha.ts';
import type { Client, SessionClient } from '../client.ts';
import type { KnownDevice, rememberDevice } from '../device.ts';
import type { SignedIn } from '../listeners.ts';

/** What an operation of the service takes, without the project, which is filled in. */
type Input<Call extends (input: never) => unknown> = Omit<Parameters<Call>[0], 'project_id'>;
type Operation = (input: never) => Promise<{ body: unknown }>;
type Output<Call extends Operation> = Awaited<ReturnType<Call>>['body'];
/** Who has come in, whether they are new, and what the next sign-in on this device may send. */
export type Entered = SignedIn & { user_created: boolean; device_token?: string | undefined };
export type Started = Awaited<ReturnType<Client['passwords']['signIn']>>;

type SignInSetup = {
  /** Sends a sign-in, and signs this page in. */
  start: (response: Promise<Started>) => Promise<Entered>;
  device: ReturnType<typeof rememberDevice>;
  captcha: SolveCaptcha | undefined;
};

/** The ways to sign in, at the service. */
export function signInMethods(client: SessionClient, { start, device, captcha }: SignInSetup) {
  const asks =
    <Call extends Operation>(call: Call) =>
    async (input: Input<Call>): Promise<Output<Call>> =>
      (await call(input as never)).body;
  const starts =
    <Call extends (input: never, options?: CallOptions) => Promise<Started>>(
      call: Call,
    ): ((input: Input<Call>) => Promise<Entered>) =>
    (input, options?: CallOptions) => {
      const { device_token = device.known().device_token } = input as KnownDevice;
      return start(call({ ...input, device_token } as never, options));
    };

  const provider: (
    input: Input<Client['providers']['signIn']>,
    options?: CallOptions,
  ) => Promise<Entered> = starts(client.providers.signIn);

  return {
    signIn: {
      password: starts(withCaptcha(captcha, 'sign_in', client.passwords.signIn)),
      /** Mails a code; keep the `challenge_id` for `code`. */
      startCode: asks(withCaptcha(captcha, 'code', client.codes.start)),
      code: starts(client.codes.verify),
      /** What `navigator.credentials.get` needs; the entry `./passkeys` does both. */
      startPasskey: asks(client.passkeys.startSignIn) as () => Promise<
        Output<Client['passkeys']['startSignIn']>
      >,
      passkey: starts(client.passkeys.signIn),
      /** With the ID token of an identity provider. */
      identity: starts(client.identities.signIn),
      /** With the code of a sign-in at a provider; the entry `./providers` does all steps. */
      provider,
      /** The second step: with the `mfa_token` of an `ApiError` whose code is `mfa_required`. */
      mfa: starts(client.factors.signIn),
      /** What a sign-in that is made elsewhere sends along: the token of this device, if it has one. */
      device: device.known,
      /** With the answer of a sign-in that was made elsewhere, as by the hosted pages. */
      take: start,
    },
    signUp: {
      /** Mails a link whose page calls `complete`. */
      start: asks(withCaptcha(captcha, 'sign_up', client.passwords.signUp)),
      /** Sets the password with the token of a mail, also of `forgotPassword`, and signs in. */
      complete: starts(client.passwords.set),
    },
    /** Mails a link whose page calls `signUp.complete`. */
    forgotPassword: asks(withCaptcha(captcha, 'reset_password', client.passwords.forgot)),
  };
}
