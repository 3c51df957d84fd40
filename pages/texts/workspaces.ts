import { addTexts } from '../texts.ts';

/** Loads the texts of the pages of somebody's workspaces and of an offered one, in the language of the page. */
export const loadWorkspacesTexts = (): Promise<void> =>
  addTexts({
    en: () => import('./workspaces-en.json', { with: { type: 'json' } }),
    de: () => import('./workspaces-de.json', { with: { type: 'json' } }),
  });
