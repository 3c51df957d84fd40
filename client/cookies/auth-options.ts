import type { Fetch } from '../call.ts';
import type { SolveCaptcha } from '../captcha/with-captcha.ts';

export type CookieAuthOptions = {
  /** Where your backend has the handler; default `/auth`. */
  path?: string | undefined;
  /** The base URL of the service, for `api`; its operator must allow your origin in `corsOrigins`. */
  url?: string | undefined;
  /** Whether it hears of the other tabs; by default in the pages of a browser. */
  tabs?: boolean | undefined;
  /** Has a captcha solved where the project asks for one: see the option of `createAuth`. */
  captcha?: SolveCaptcha | undefined;
  /** Sends the requests, instead of the global `fetch`. */
  fetch?: Fetch | undefined;
};
