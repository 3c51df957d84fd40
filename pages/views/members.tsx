import type { User } from '../../client/generated/api.ts';
import { useState } from 'preact/hooks';
import { hrefOf, query } from '../address.ts';
import { isCode, wordsFor } from '../failures.ts';
import { api } from '../session.ts';
import { count, t } from '../texts.ts';
import { useLoaded } from '../ui/list.tsx';
import type { View } from '../view.ts';
import { Domains } from './members/domains.tsx';
import { Invitations } from './members/invitations.tsx';
import { Invite } from './members/invite.tsx';
import { JoinLinks } from './members/join-links.tsx';
import { JoinRequests } from './members/join-requests.tsx';
import { Log } from './members/log.tsx';
import { MemberList } from './members/member-list.tsx';

export const view: View = { title: 'members', for: 'user', wide: true, Show: Members };

const workspace_id = query.get('workspace_id') ?? '';

function Members({ user }: { user: User }) {
  const [changes, setChanges] = useState(0);
  const { thing, waiting, refresh } = useLoaded(`${user.uid} ${workspace_id}`, async () => {
    try {
      const { body: workspace } = await api.workspaces.get({ workspace_id });
      const { body: me } = await api.members.get({ workspace_id, user_id: user.uid });
      return { workspace, isAdmin: me.role === 'admin' };
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
  if (!thing.workspace)
    return (
      <>
        <p role="alert">{thing.gone}</p>
        {back}
      </>
    );
  const { workspace, isAdmin } = thing;
  const part = {
    workspace,
    user,
    changes,
    refresh: () => {
      setChanges(changes + 1);
      return refresh();
    },
  };
  return (
    <>
      <p class="lead">
        <strong dir="auto">{workspace.name}</strong>{' '}
        <small>{count('members', workspace.total_member_count)}</small>
      </p>
      <MemberList {...part} isAdmin={isAdmin} />
      {isAdmin && (
        <>
          <JoinRequests {...part} />
          <Invite {...part} />
          <Invitations {...part} />
          <JoinLinks {...part} />
          <Domains {...part} />
          <Log {...part} />
        </>
      )}
    </>
  );
}
