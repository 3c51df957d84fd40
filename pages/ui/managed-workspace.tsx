import type { ComponentChildren } from 'preact';
import type { OwnPermissions, User } from '../../client/generated/api.ts';
import type { Action } from '../../shared/model/policy.ts';
import { query } from '../address.ts';
import { isCode, wordsFor } from '../failures.ts';
import { hrefOf } from '../href.ts';
import { api } from '../session.ts';
import { t } from '../texts.ts';
import { useLoaded } from './list.tsx';

/** The workspace that a page is about. */
export const workspace_id = query.get('workspace_id') ?? '';

/**
 * What a page shows of its workspace. `fallback`: what stands in its place while it is loaded, or where there is none for
 * this user. `load` resolves with undefined where they may not see it.
 */
export function useWorkspaceOfPage<T extends object>(
  { uid }: User,
  load: () => Promise<T | undefined>,
) {
  const {
    data,
    fallback: placeholder,
    refresh,
  } = useLoaded(`${uid} ${workspace_id}`, async () => {
    try {
      return { content: await load(), notice: t('error.forbidden') };
    } catch (error) {
      // There is none, or none for this user: asking again would not help.
      if (isCode(error, 'not_found', 'invalid_request')) return { notice: wordsFor(error) };
      throw error;
    }
  });
  const back = (
    <p>
      <a href={hrefOf('workspaces')}>{t('toWorkspaces')}</a>
    </p>
  );
  const fallback = data ? (
    <>
      <p role="alert">{data.notice}</p>
      {back}
    </>
  ) : (
    placeholder
  );
  return { content: data?.content, fallback: workspace_id === '' ? back : fallback, refresh };
}

type ManagedWorkspaceProps = {
  user: User;
  /** What the page is for; the service decides again. */
  permission: Action;
  children: (own: OwnPermissions) => ComponentChildren;
};

/** A page about one workspace, for who may do something there; else it says that there is none, or that they may not. */
export function ManagedWorkspace(props: ManagedWorkspaceProps) {
  const { user, permission, children } = props;
  const { content, fallback } = useWorkspaceOfPage(user, async () => {
    const [{ body }, own] = await Promise.all([
      api.workspaces.get({ workspace_id }),
      api.permissions.listOfCaller({ workspace_id }),
    ]);
    return own.body.permissions.includes(permission)
      ? { name: body.name, own: own.body }
      : undefined;
  });
  if (!content) return fallback;
  return (
    <>
      <p class="lead">
        <a href={hrefOf('members', { workspace_id })} dir="auto">
          {content.name}
        </a>
      </p>
      {children(content.own)}
    </>
  );
}
