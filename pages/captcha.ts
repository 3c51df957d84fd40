import type { AskedCaptcha } from '../client/captcha/with-captcha.ts';
import type { ApiError } from '../client/client.ts';

/** A call that shows a captcha where the project asks for one, by a file that no page loads before. */
export const solving = <Call extends (input: never) => Promise<unknown>>(
  action: AskedCaptcha['action'],
  call: Call,
): Call =>
  ((input: object) =>
    call(input as never).catch(async (error: ApiError) => {
      if (error.code !== 'captcha_required') throw error;
      return (await import('./ui/captcha.tsx')).sendAgain(error, action, call, input);
    })) as unknown as Call;
