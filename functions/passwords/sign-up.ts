import { captchaCheck } from '#shared/captcha/captcha.ts';
import { passwords } from '#shared/contract/passwords.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { mailLink } from '#shared/identity/sign-in/request-mail.ts';
import { requireSignInMethod } from '#shared/identity/sign-in/sign-in.ts';
import { ApiError } from '#shared/model/errors.ts';

export const handler = endpoint(passwords.signUp, async ({ body, client }) => {
  const { project_id, email } = body;
  const project = await requireSignInMethod(project_id, 'password_sign_in');
  if (!project.sign_up) throw new ApiError('sign_up_disabled');
  const admit = captchaCheck(project, body.captcha_token, 'sign_up');
  return mailLink('sign_up', { project_id, email, address: client.address, admit });
});
