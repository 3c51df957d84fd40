import type { ApiError } from '../api-error.ts';
import type { PublicProject, User } from '../generated/api.ts';
import { hasPassword } from '../sign-in-methods.ts';
import { type ListHook, useList } from './list-hooks.ts';

/** What the project of the signed-in user says in public; nothing where it has no hosted pages. */
export const useProject = (me: User | undefined): ListHook<Partial<PublicProject>> =>
  useList<Partial<PublicProject>>(me && 'project', (api, signal) =>
    api.projects.get({ project_id: me?.project_id ?? '' }, { signal }).then(
      ({ body }) => body,
      (error: ApiError) => {
        if (error.code !== 'not_found') throw error;
        return {};
      },
    ),
  );

/**
 * Whether the service asks somebody for their password: where nobody signs in by one, a recent sign-in does. Where the
 * project does not say so in public, it asks. Undefined: not known yet.
 */
export function useAsksPassword(me: User | undefined): boolean | undefined {
  const has = me && hasPassword(me);
  // Also for somebody who has no password yet: nothing disappears while it loads, once another tab has set the first.
  const { data, error } = useProject(me);
  if (!has) return has;
  return data || error !== undefined ? (data?.methods?.password ?? true) : undefined;
}
