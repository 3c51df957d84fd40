import {
  type AskedCaptcha,
  type SolveCaptcha,
  withCaptcha,
} from '../client/captcha/with-captcha.ts';

/** Has somebody solve a captcha, by a file that no page loads before. */
export const solve: SolveCaptcha = async (captcha) =>
  (await import('./ui/captcha.tsx')).showCaptcha(captcha);

/** A call that shows a captcha where the project asks for one. */
export const solving = <Call extends (input: never) => Promise<unknown>>(
  action: AskedCaptcha['action'],
  call: Call,
): Call => withCaptcha(solve, action, call);
