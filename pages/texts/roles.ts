import { addTexts } from '../texts.ts';

/** Loads the texts of a workspace's own roles, in the language of the page. */
export const loadRoleTexts = (): Promise<void> =>
  addTexts((name) => import(`./roles-${name}.json`, { with: { type: 'json' } }));
