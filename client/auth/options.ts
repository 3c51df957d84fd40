import type { Fetch } from '../call.ts';
import type { SolveCaptcha } from '../captcha/with-captcha.ts';
import type { AuthStorage } from '../storage.ts';

export type AuthOptions = {
  /** The base URL of the service. */
  url: string;
  projectId: string;
  /**
   * Where the session is kept. 'memory', the default: other tabs have it too, and it is gone with the last one; a
   * script that is injected later finds nothing at rest. 'session': the tab's `sessionStorage`, which outlasts a
   * reload. Or a storage of your own, such as over `localStorage`.
   */
  storage?: 'memory' | 'session' | AuthStorage | undefined;
  /**
   * Whether it shares the session with the other tabs; by default in the pages of a browser. Say `false` in a sandboxed
   * frame, which may not.
   */
  tabs?: boolean | undefined;
  /** Has a captcha solved where the project asks for one, as `showCaptcha` of the entry `./captcha` does. */
  captcha?: SolveCaptcha | undefined;
  /** Sends the requests, instead of the global `fetch`. */
  fetch?: Fetch | undefined;
};
