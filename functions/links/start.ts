import { captchaCheck } from '#shared/captcha/captcha.ts';
import { links } from '#shared/contract/links.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { mailSignInLink } from '#shared/identity/sign-in/request-mail.ts';
import { requireSignInMethod } from '#shared/identity/sign-in/sign-in.ts';

export const handler = endpoint(links.start, async ({ body, client }) => {
  const { project_id, email, challenge } = body;
  const project = await requireSignInMethod(project_id, 'link_sign_in');
  const admit = captchaCheck(project, body.captcha_token, 'link');
  return mailSignInLink({ project_id, email, address: client.address, admit }, challenge);
});
