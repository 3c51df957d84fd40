import { addTexts } from '../texts.ts';

/** Loads the texts of the account page, in the language of the page. */
export const loadAccountTexts = (): Promise<void> =>
  addTexts({
    en: () => import('./account-en.json', { with: { type: 'json' } }),
    de: () => import('./account-de.json', { with: { type: 'json' } }),
  });
