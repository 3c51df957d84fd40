import { captchaCheck } from '#shared/captcha/captcha.ts';
import { codes } from '#shared/contract/codes.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { mailCode } from '#shared/identity/sign-in/request-mail.ts';
import { requireSignInMethod } from '#shared/identity/sign-in/sign-in.ts';

export const handler = endpoint(codes.start, async ({ body, client }) => {
  const { project_id, email } = body;
  const project = await requireSignInMethod(project_id, 'code_sign_in');
  const admit = captchaCheck(project, body.captcha_token, 'code');
  return mailCode({ project_id, email, address: client.address, admit });
});
