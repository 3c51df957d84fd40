import { addTexts } from '../texts.ts';

/** Loads the texts of a workspace's own roles, in the language of the page. */
export const loadRoleTexts = (): Promise<void> =>
  addTexts({
    en: () => import('./roles-en.json', { with: { type: 'json' } }),
    de: () => import('./roles-de.json', { with: { type: 'json' } }),
  });
