import type { Captcha, Project } from '../access/projects.ts';
import { currentRequest } from '../db/request-context.ts';
import { ApiError } from '../model/errors.ts';
import type { CaptchaAction } from './siteverify.ts';

/**
 * Lets somebody on who has failed so many times before, or throws. `takeBack` takes the count of this request back:
 * where a token is missing, nobody was asked anything.
 */
export type CaptchaCheck = (failures: number, takeBack: () => void) => Promise<void>;

const letPass: CaptchaCheck = async () => {};

/**
 * The check that a project makes of who guesses, or has a mail sent. Where a token is always asked for and there is
 * none, nothing is read or counted: throws `captcha_required` at once. The check throws that, `captcha_invalid` or
 * `temporarily_unavailable`. It must come after a count of the network, so that nobody makes us ask the provider as
 * often as they like. A token that is not asked for is not looked at.
 */
export function captchaCheck(
  { project_id, captcha }: Project,
  token: string | undefined,
  action: CaptchaAction,
): CaptchaCheck {
  if (!captcha) return letPass;
  const { rule, failures: asksFrom = 0 } = captcha;
  if (rule === 'always' && token === undefined) throw required(captcha);
  return async (failures, takeBack) => {
    if (rule === 'after_failures' && failures < asksFrom) return;
    if (token === undefined) {
      takeBack();
      throw required(captcha);
    }
    await onceInRequest(async () => {
      // A file of its own, which no project without a captcha loads.
      const { verifyCaptcha } = await import('./siteverify.ts');
      return verifyCaptcha(project_id, captcha, token, action);
    });
  };
}

const required = ({ provider, site_key }: Captcha) =>
  new ApiError('captcha_required', { members: { provider, site_key } });

/** A provider takes a token once, so a handler that runs again must not ask again. */
function onceInRequest(verify: () => Promise<void>): Promise<void> {
  const request = currentRequest();
  return (request.captchaVerified ??= verify());
}
