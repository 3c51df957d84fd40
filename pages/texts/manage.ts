import { addTexts } from '../texts.ts';

/** Loads the texts for those who manage a workspace, a part of the page of members, in the language of the page. */
export const loadManagingTexts = (): Promise<void> =>
  addTexts((name) => import(`./manage-${name}.json`, { with: { type: 'json' } }));
