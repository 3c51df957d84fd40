import { addTexts } from '../texts.ts';

/** Loads the texts of a new password, in the language of the page. */
export const loadPasswordTexts = (): Promise<void> =>
  addTexts((name) => import(`./passwords-${name}.json`, { with: { type: 'json' } }));
