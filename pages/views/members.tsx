import { useState } from 'preact/hooks';
import type { User } from '../../client/generated/api.ts';
import { hrefOf } from '../href.ts';
import { project } from '../project.ts';
import { api } from '../session.ts';
import { loadJoiningTexts } from '../texts/joining.ts';
import { loadManagingTexts } from '../texts/manage.ts';
import { loadMemberTexts } from '../texts/members.ts';
import { count, t } from '../texts.ts';
import { Later } from '../ui/later.tsx';
import { useWorkspaceOfPage, workspace_id } from '../ui/managed-workspace.tsx';
import type { View } from '../view.ts';
import { MemberList } from './members/member-list.tsx';
import type { Part } from './members/part.ts';

export const view: View = {
  title: 'members',
  for: 'user',
  wide: true,
  loadTexts: () => Promise.all([loadMemberTexts(), loadJoiningTexts()]),
  Show: Members,
};

/** What those may do of whom a part of the page is that comes after it. */
const managing = [
  ...(['join-request:list', 'invitation:create', 'invitation:list'] as const),
  ...(['join-link:list', 'domain:list', 'event:list'] as const),
];
const loadManage = async () => {
  const [part] = await Promise.all([import('./members/manage.tsx'), loadManagingTexts()]);
  return part.Manage;
};

function Members({ user }: { user: User }) {
  const [changes, setChanges] = useState(0);
  const { content, fallback, refresh } = useWorkspaceOfPage(user, async () => {
    const [workspace, own, roleList] = await Promise.all([
      api.workspaces.get({ workspace_id }),
      api.permissions.listOfCaller({ workspace_id }),
      api.roles.listOfWorkspace({ workspace_id }),
    ]);
    return {
      workspace: workspace.body,
      roles: roleList.body.result,
      rights: new Set(own.body.permissions),
    };
  });
  if (!content) return fallback;
  const { workspace, roles, rights } = content;
  const part: Part = {
    workspace,
    user,
    roles,
    changes,
    may: (action) => rights.has(action),
    refresh: () => {
      setChanges(changes + 1);
      return refresh();
    },
  };
  // Roles that there are can be deleted where the project no longer allows new ones.
  const hasRoles = project.workspace_roles || roles.some(({ own }) => own);
  const links = [
    ...(part.may('api-key:manage') ? ([['api-keys', t('apiKeys')]] as const) : []),
    ...(part.may('role:manage') && hasRoles ? ([['roles', t('roles')]] as const) : []),
  ];
  return (
    <>
      <p class="lead">
        <strong dir="auto">{workspace.name}</strong>{' '}
        <small>{count('members', workspace.total_member_count)}</small>
      </p>
      {links.length > 0 && (
        <p>
          {links.map(([name, words], i) => (
            <>
              {i > 0 && ' · '}
              <a href={hrefOf(name, { workspace_id })}>{words}</a>
            </>
          ))}
        </p>
      )}
      <MemberList {...part} />
      {managing.some(part.may) && <Later load={loadManage} of={part} />}
    </>
  );
}
