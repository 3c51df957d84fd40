import type { ComponentChildren } from 'preact';
import type { OwnPermissions, User } from '../../client/generated/api.ts';
import type { Action } from '../../shared/workspaces/policy.ts';
import { hrefOf, query } from '../address.ts';
import { isCode, wordsFor } from '../failures.ts';
import { api } from '../session.ts';
import { t } from '../texts.ts';
import { useLoaded } from './list.tsx';

/** The workspace that a page is about. */
export const workspace_id = query.get('workspace_id') ?? '';

type ManagedWorkspaceProps = {
  user: User;
  /** What the page is for; the service decides again. */
  permission: Action;
  children: (own: OwnPermissions) => ComponentChildren;
};

/** A page about one workspace, for who may do something there; else it says that there is none, or that they may not. */
export function ManagedWorkspace(props: ManagedWorkspaceProps) {
  const { user, permission, children } = props;
  const { thing, waiting } = useLoaded(`${user.uid} ${workspace_id}`, async () => {
    try {
      const [{ body }, own] = await Promise.all([
        api.workspaces.get({ workspace_id }),
        api.permissions.listOfCaller({ workspace_id }),
      ]);
      if (!own.body.permissions.includes(permission)) return { gone: t('error.forbidden') };
      return { name: body.name, own: own.body };
    } catch (error) {
      // There is none, or none for this user: asking again would not help.
      if (isCode(error, 'not_found', 'invalid_request')) return { gone: wordsFor(error) };
      throw error;
    }
  });
  const back = (
    <p>
      <a href={hrefOf('workspaces')}>{t('toWorkspaces')}</a>
    </p>
  );
  if (workspace_id === '') return back;
  if (!thing) return waiting;
  if (!thing.own)
    return (
      <>
        <p role="alert">{thing.gone}</p>
        {back}
      </>
    );
  return (
    <>
      <p class="lead">
        <a href={hrefOf('members', { workspace_id })} dir="auto">
          {thing.name}
        </a>
      </p>
      {children(thing.own)}
    </>
  );
}
