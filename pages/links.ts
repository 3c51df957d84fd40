import { createLinks } from '../client/links.ts';
import { projectId, service } from './address.ts';
import { solveCaptcha } from './captcha.ts';

/** Sign-in by mailed links; `signIn` resolves with the session. */
export const links = createLinks({
  url: service,
  projectId,
  captcha: solveCaptcha,
  auth: { signIn: { take: async (starting) => (await starting).body } },
});
