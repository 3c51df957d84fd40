import type { User } from '../generated/api.ts';
import { hasPassword } from '../sign-in-methods.ts';
import { useList } from './list-hooks.ts';

/**
 * Whether the service asks somebody for their password: where nobody signs in by one, a recent sign-in does. A project
 * says so in public where it has hosted pages; of others it is not known, and then it asks. Undefined: not known yet.
 */
export function useAsksPassword(me: User | undefined): boolean | undefined {
  const has = me && hasPassword(me);
  const { data } = useList<boolean>(has ? 'passwords' : undefined, (api, signal) =>
    api.projects.get({ project_id: me?.project_id ?? '' }, { signal }).then(
      ({ body }) => body.methods.password,
      () => true,
    ),
  );
  return has ? data : has;
}
