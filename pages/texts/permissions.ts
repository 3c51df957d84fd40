import { addTexts } from '../texts.ts';

/** Loads what the permissions of the service allow, in the language of the page. Without, their ids are shown. */
export const loadPermissionTexts = (): Promise<void> =>
  addTexts({
    en: () => import('./permissions-en.json', { with: { type: 'json' } }),
    de: () => import('./permissions-de.json', { with: { type: 'json' } }),
  }).catch(() => {});
