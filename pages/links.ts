import { createLinks } from '../client/links.ts';
import { projectId, service } from './address.ts';
import { solve } from './captcha.ts';
import { device } from './device.ts';
import { fetchInLanguage } from './session.ts';

/** Sign-in by mailed links; `signIn` resolves with the session. */
export const links = createLinks({
  url: service,
  projectId,
  fetch: fetchInLanguage,
  captcha: solve,
  auth: { signIn: { device: device.known, take: async (response) => (await response).body } },
});
