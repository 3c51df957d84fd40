import { addTexts } from '../texts.ts';

/** Loads the texts of API keys, a part of the account page and a page of workspaces, in the language of the page. */
export const loadKeyTexts = (): Promise<void> =>
  addTexts((name) => import(`./api-keys-${name}.json`, { with: { type: 'json' } }));
