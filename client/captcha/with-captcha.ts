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

/**
 * A call that has a captcha solved where the service asks for one, and is then sent again; where the token is refused,
 * with another. It throws what refused it last.
 */
export const withCaptcha = <Call extends (input: never) => Promise<unknown>>(
  solve: SolveCaptcha | undefined,
  action: AskedCaptcha['action'],
  call: Call,
): Call =>
  (async (input: object) => {
    let captcha: AskedCaptcha | undefined;
    // The first try has none: the service counts no try that it refuses for want of it.
    let captcha_token: string | undefined;
    for (let remaining = maxTokens; ; remaining -= 1)
      try {
        return await call((captcha ? { ...input, captcha_token } : input) as never);
      } catch (refusal) {
        const { code, problem } = refusal as ApiError;
        if (remaining === 0 || code !== (captcha ? 'captcha_invalid' : 'captcha_required'))
          throw refusal;
        const { provider, site_key } = captcha ?? (problem as AskedCaptcha);
        captcha = { provider, site_key, action };
        captcha_token = await solve?.(captcha);
        if (captcha_token === undefined) throw refusal;
      }
  }) as unknown as Call;
