import { links } from '#shared/contract/links.ts';
import { signInByMail } from '#shared/factors/sign-in-by-mail.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireSignInMethod } from '#shared/identity/sign-in/sign-in.ts';
import { requireTokenOrCode, verifyLink } from '#shared/identity/sign-in/sign-in-links.ts';

export const handler = endpoint(links.signIn, async ({ body, client, now }) => {
  const { link_id, verifier, token, code, ...rest } = body;
  const { project_id } = rest;
  const project = await requireSignInMethod(project_id, 'link_sign_in');
  requireTokenOrCode(body);
  return signInByMail(project, 'email_link', rest, { client, now }, () =>
    verifyLink({ project_id, link_id, verifier, token, code }, now),
  );
});
