import { addTexts } from '../texts.ts';

/**
 * Loads the texts of the pages on which somebody signs up or asks for another password by mail, or confirms an e-mail, in the
 * language of the page.
 */
export const loadMailedTexts = (): Promise<void> =>
  addTexts((name) => import(`./mailed-${name}.json`, { with: { type: 'json' } }));
