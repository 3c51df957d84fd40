import type { ApiError } from '../api-error.ts';

/** The captcha that a request needs: which one to show, and what somebody does who solves it. */
export type AskedCaptcha = {
  provider: 'turnstile' | 'hcaptcha' | 'recaptcha';
  site_key: string;
  action: 'sign_in' | 'sign_up' | 'reset_password' | 'code' | 'link';
};

/** Has a person solve a captcha: resolves with its token, or with undefined if they do not want to. */
export type SolveCaptcha = (captcha: AskedCaptcha) => Promise<string | undefined>;

/** Tokens that one call sends: each costs a person something, and one that solves itself must not go on for ever. */
const maxTokens = 3;

/** A call that has a captcha solved where the service asks for one, and is then sent again. */
export const withCaptcha = <Call extends (input: never) => Promise<unknown>>(
  solve: SolveCaptcha | undefined,
  action: AskedCaptcha['action'],
  call: Call,
): Call =>
  // The first try has no token: the service counts none that it refuses for want of it.
  ((input: object) =>
    call(input as never).catch((refusal: unknown) =>
      sendSolved(refusal, { solve, action, call, input }),
    )) as unknown as Call;

/**
 * Sends a call again with the token of a captcha, if that is why it was refused; where the token is refused, with
 * another.
 * @throws what refused the call last
 */
export async function sendSolved(
  refusal: unknown,
  {
    solve,
    action,
    call,
    input,
  }: {
    solve: SolveCaptcha | undefined;
    action: AskedCaptcha['action'];
    call: (input: never) => Promise<unknown>;
    input: object;
  },
): Promise<unknown> {
  const { code, problem } = refusal as ApiError;
  if (code !== 'captcha_required') throw refusal;
  const { provider, site_key } = problem as AskedCaptcha;
  let lastRefusal = refusal;
  for (let remaining = maxTokens; remaining > 0; remaining -= 1) {
    const captcha_token = await solve?.({ provider, site_key, action });
    if (captcha_token === undefined) break;
    try {
      return await call({ ...input, captcha_token } as never);
    } catch (error) {
      lastRefusal = error;
      if ((error as ApiError).code !== 'captcha_invalid') break;
    }
  }
  throw lastRefusal;
}
