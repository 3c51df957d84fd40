import type { ApiError } from './api-error.ts';

/** The captcha that a request needs: which one to show, and what somebody does who solves it. */
export type AskedCaptcha = {
  provider: 'turnstile' | 'hcaptcha' | 'recaptcha';
  site_key: string;
  action: 'sign_in' | 'sign_up' | 'reset_password' | 'code' | 'link';
};

/** Has a person solve a captcha: resolves with its token, or with undefined if they do not want to. */
export type SolveCaptcha = (asked: AskedCaptcha) => Promise<string | undefined>;

/** Tokens that one call sends: each costs a person something, and one that solves itself must not go on for ever. */
const maxTokens = 3;

/**
 * A call that has a captcha solved where the service asks for one, and is then sent again with the token; where that is
 * refused, with another one. The first try has none: the service counts no try that it refuses for want of it.
 */
export function withCaptcha<Call extends (input: never) => Promise<unknown>>(
  solve: SolveCaptcha | undefined,
  action: AskedCaptcha['action'],
  call: Call,
): Call {
  return (async (input: object) => {
    let asked: AskedCaptcha | undefined;
    let token = {};
    for (let left = maxTokens; ; left -= 1) {
      try {
        return await call({ ...input, ...token } as never);
      } catch (error) {
        const { code, problem } = error as ApiError;
        const { provider, site_key } = (problem ?? {}) as AskedCaptcha;
        if (code === 'captcha_required') asked = { provider, site_key, action };
        const isAsked = asked && left > 0 && /^captcha_/.test(code);
        const captcha_token = isAsked && (await solve?.(asked as AskedCaptcha));
        if (!captcha_token) throw error;
        token = { captcha_token };
      }
    }
  }) as unknown as Call;
}
