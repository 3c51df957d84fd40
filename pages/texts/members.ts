import { addTexts } from '../texts.ts';

/** Loads the texts of the list of members, in the language of the page. */
export const loadMemberTexts = (): Promise<void> =>
  addTexts({
    en: () => import('./members-en.json', { with: { type: 'json' } }),
    de: () => import('./members-de.json', { with: { type: 'json' } }),
  });
