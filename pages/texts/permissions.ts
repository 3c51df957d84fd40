import { addTexts } from '../texts.ts';

/** Loads what the permissions of the service allow, in the language of the page. Without, their ids are shown. */
export const loadPermissionTexts = (): Promise<void> =>
  addTexts((name) => import(`./permissions-${name}.json`, { with: { type: 'json' } })).catch(
    () => {},
  );
