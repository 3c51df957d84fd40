import { addTexts } from '../texts.ts';

/** Loads the texts of the pages on which somebody signs out, in the language of the page. */
export const loadSignOutTexts = (): Promise<void> =>
  addTexts((name) => import(`./sign-out-${name}.json`, { with: { type: 'json' } }));
