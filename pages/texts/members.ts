import { addTexts } from '../texts.ts';

/** Loads the texts of the list of members, in the language of the page. */
export const loadMemberTexts = (): Promise<void> =>
  addTexts((name) => import(`./members-${name}.json`, { with: { type: 'json' } }));
