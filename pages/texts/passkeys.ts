import { addTexts } from '../texts.ts';

/** Loads the texts of passkeys, a part of the account page, in the language of the page. */
export const loadPasskeyTexts = (): Promise<void> =>
  addTexts({
    en: () => import('./passkeys-en.json', { with: { type: 'json' } }),
    de: () => import('./passkeys-de.json', { with: { type: 'json' } }),
  });
