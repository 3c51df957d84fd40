import { captchaCheck } from '#shared/captcha/captcha.ts';
import { passwords } from '#shared/contract/passwords.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { mailLink } from '#shared/identity/sign-in/request-mail.ts';
import { requireSignInMethod } from '#shared/identity/sign-in/sign-in.ts';

export const handler = endpoint(passwords.forgot, async ({ body, client }) => {
  const { project_id, email } = body;
  const project = await requireSignInMethod(project_id, 'password_sign_in');
  const admit = captchaCheck(project, body.captcha_token, 'reset_password');
  return mailLink('reset_password', { project_id, email, address: client.address, admit });
});
