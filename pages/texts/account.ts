import { addTexts } from '../texts.ts';

/** Loads the texts of the account page, in the language of the page. */
export const loadAccountTexts = (): Promise<void> =>
  addTexts((name) => import(`./account-${name}.json`, { with: { type: 'json' } }));
