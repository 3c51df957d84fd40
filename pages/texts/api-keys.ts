import { addTexts } from '../texts.ts';

/** Loads the texts of API keys, a part of the account page and a page of workspaces, in the language of the page. */
export const loadKeyTexts = (): Promise<void> =>
  addTexts({
    en: () => import('./api-keys-en.json', { with: { type: 'json' } }),
    de: () => import('./api-keys-de.json', { with: { type: 'json' } }),
  });
