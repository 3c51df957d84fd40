import { createLinks } from '../client/links.ts';
import { projectId, service } from './address.ts';

/** Sign-in by mailed links; `signIn` resolves with the session. */
export const links = createLinks({
  url: service,
  projectId,
  auth: { signIn: { take: async (starting) => (await starting).body } },
});
