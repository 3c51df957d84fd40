import type { AskedCaptcha, SolveCaptcha } from '../client/with-captcha.ts';
import { isCode } from './failures.ts';

/** Shows a captcha, by a file that no page loads before. */
export const solveCaptcha: SolveCaptcha = async (asked) =>
  (await import('./ui/captcha.tsx')).showCaptcha(asked);

/** A call that shows a captcha where the project asks for one. */
export const solving = <Call extends (input: never) => Promise<unknown>>(
  action: AskedCaptcha['action'],
  call: Call,
): Call =>
  (async (input: object) => {
    try {
      return await call(input as never);
    } catch (error) {
      if (!isCode(error, 'captcha_required')) throw error;
      const { sendSolved } = await import('../client/with-captcha.ts');
      return sendSolved(error, { solve: solveCaptcha, action, call, input });
    }
  }) as unknown as Call;
