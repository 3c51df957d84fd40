import type { Captcha } from '../access/projects.ts';
import { secretReader } from '../access/secrets-manager.ts';
import { currentRequest } from '../db/request-context.ts';
import { env } from '../model/env.ts';
import { ApiError } from '../model/errors.ts';
import { parseJson } from '../model/json-object.ts';
import { postOnce } from '../outbound/post.ts';
import { isLocalService } from '../outbound/target.ts';
import { captchaKeyName, verifyUrlOf } from './key-name.ts';
import { captchaKeysIn } from './keys-text.ts';

/** What somebody does who solves a captcha, as a page may name it to the provider. */
export type CaptchaAction = 'sign_in' | 'sign_up' | 'reset_password' | 'code' | 'link';

/** Milliseconds: somebody waits for the answer, and the request needs the rest of its time. */
const maxCallTime = 2_000;

/**
 * After so many calls in a row without an answer, an instance calls the provider once in so many milliseconds.
 * Otherwise each sign-in at a provider that hangs would occupy one of the account's functions for seconds, which those
 * of all projects need. One call alone is slow at every provider. The client comes back after the pause.
 */
const maxUnanswered = 3;
const pause = 10_000;
/** Calls of an address in a row without an answer, and when its pause ends, in epoch milliseconds. */
const unanswered = new Map<string, { calls: number; until: number }>();

/** reCAPTCHA v3 succeeds for programs too, with a score below this. That of hCaptcha means the opposite. */
const minScore = 0.5;

/** Codes by which a provider says that the token is at fault, and not the key, or the provider itself. */
const ofToken: ReadonlySet<unknown> = new Set([
  'missing-input-response',
  'invalid-input-response',
  'timeout-or-duplicate',
  'expired-input-response',
  'already-seen-response',
  'invalid-or-already-seen-response',
]);

/**
 * What the answers to the documented test keys name instead of the page. They pass every token, so they count on a
 * developer's machine alone.
 */
const testPages: ReadonlySet<unknown> = new Set([
  'dummy-key-pass',
  'example.com',
  'testkey.google.com',
]);

/**
 * What hCaptcha names instead of the page while a site has unusually many challenges. Everybody would be refused then;
 * a token of another site still is, by the site key that the call names.
 */
const notProvided = 'not-provided';

type Answer = {
  success?: unknown;
  'error-codes'?: unknown;
  hostname?: unknown;
  action?: unknown;
  score?: unknown;
};

/** The secret keys of captchas by `captchaKeyName`, which the operator sets. */
const getCaptchaKeys = /* @__PURE__ */ secretReader(
  () => env.captchaSecretId(),
  captchaKeysIn,
  'It is no object of texts. Its version before this one is kept: AWSPREVIOUS.',
);

/**
 * Has the provider verify a token, which it does once. A token of another page, or of another action, is refused.
 * Throws `captcha_invalid`, or `temporarily_unavailable` where the provider does not say whether it is valid: nobody
 * gets past it because it is down.
 */
export async function verifyCaptcha(
  project_id: string,
  captcha: Captcha,
  token: string,
  action: CaptchaAction,
): Promise<void> {
  const secret = (await getCaptchaKeys()).get(captchaKeyName(project_id, captcha));
  if (secret === undefined)
    throw unavailable(
      `There is no captcha key of ${project_id} for its site key and the address that verifies it.`,
    );
  const answer = await ask(captcha, { secret, response: token });
  judgeAnswer(answer, { captcha, action, local: isLocalService() });
}

/**
 * Throws as `verifyCaptcha` does, unless the provider has said that the token is valid, for one of our pages and this
 * action. hCaptcha may leave the page out.
 */
export function judgeAnswer(
  answer: Answer,
  { captcha, action, local }: { captcha: Captcha; action: CaptchaAction; local: boolean },
): void {
  if (answer.success !== true) {
    const codes = Array.isArray(answer['error-codes']) ? answer['error-codes'] : [];
    if (codes.length > 0 && codes.every((each) => ofToken.has(each)))
      throw invalid('the provider refuses the token');
    throw unavailable(`The provider of captchas answered ${JSON.stringify(codes).slice(0, 200)}.`);
  }
  if (local && testPages.has(answer.hostname)) return;
  const { provider, hostnames } = captcha;
  const isUnnamed = provider === 'hcaptcha' && answer.hostname === notProvided;
  if (!isUnnamed && !hostnames.includes(String(answer.hostname)))
    throw invalid('solved on another page');
  if (typeof answer.action === 'string' && answer.action !== '' && answer.action !== action)
    throw invalid('solved for another action');
  if (provider === 'recaptcha' && typeof answer.score === 'number')
    if (answer.score < minScore) throw invalid('the score is too low');
}

async function ask(
  captcha: Captcha,
  fields: { secret: string; response: string },
): Promise<Answer> {
  const body = new URLSearchParams(fields);
  // Only hCaptcha compares it, and so refuses a token of another site that has the same secret.
  if (captcha.provider === 'hcaptcha') body.set('sitekey', captcha.site_key);
  const url = verifyUrlOf(captcha);
  const { now, signal } = currentRequest();
  const { calls, until } = unanswered.get(url) ?? { calls: 0, until: 0 };
  if (calls >= maxUnanswered && now.getTime() < until)
    throw unavailable('The provider of captchas did not answer the calls before.');
  const outcome = await postOnce(
    url,
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: body.toString(),
    },
    {
      local: isLocalService(),
      signal,
      timeout: maxCallTime,
      wantsBody: true,
    },
  );
  if ('failure' in outcome) {
    // That the time of the request was over says nothing of the provider.
    if (outcome.failure === 'timeout' && !signal.aborted)
      unanswered.set(url, { calls: calls + 1, until: now.getTime() + pause });
    throw unavailable(`Verifying a captcha failed: ${outcome.failure}.`);
  }
  unanswered.delete(url);
  const { status_code, body: text = '' } = outcome;
  const answer = parseJson(text);
  // Some answer 400 to a wrong token, with the reason.
  if (typeof answer !== 'object' || answer === null || status_code >= 500)
    throw unavailable(`The provider of captchas answered ${status_code}.`);
  return answer;
}

const invalid = (reason: string) => new ApiError('captcha_invalid', { reason });

/**
 * No text of the provider but its codes comes into the log: it may repeat the token. The token may be used, so nobody
 * should send it again: the pause is longer than any for which our client waits by itself.
 */
const unavailable = (message: string) =>
  new ApiError('temporarily_unavailable', { retryAfter: 15, cause: new Error(message) });
