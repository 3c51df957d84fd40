import { addTexts } from '../texts.ts';

/** Loads the texts of the pages of somebody's workspaces and of an offered one, in the language of the page. */
export const loadWorkspacesTexts = (): Promise<void> =>
  addTexts((name) => import(`./workspaces-${name}.json`, { with: { type: 'json' } }));
