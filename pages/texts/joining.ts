import { addTexts } from '../texts.ts';

/** Loads the texts of joining a workspace, which all pages of workspaces may show, in the language of the page. */
export const loadJoiningTexts = (): Promise<void> =>
  addTexts((name) => import(`./joining-${name}.json`, { with: { type: 'json' } }));
