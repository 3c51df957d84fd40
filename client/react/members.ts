import { createElement, type ReactNode, useState } from 'react';
import type { ListedMember } from '../generated/api.ts';
import { useChoice } from './choice.ts';
import { button } from './form.ts';
import { useMembers, useWorkspace } from './list-hooks.ts';
import { listState } from './list-state.ts';
import { useProvided, useSession } from './session.ts';
import { type Look, partOf } from './style.ts';

export type MemberTableProps = Look & {
  workspaceId: string | undefined;
  /** Members on a page: by default 20, at most 100. */
  limit?: number | undefined;
  /** Whether roles can be changed here, but never the owner's; the service lets the owner and admins do it. */
  canChangeRoles?: boolean | undefined;
};

/** The members of a workspace, page by page. */
export function MemberTable(props: MemberTableProps): ReactNode {
  const { uid } = useSession();
  // A page, and what went wrong, belong to one user and one workspace.
  return uid && props.workspaceId !== undefined
    ? createElement(Table, { ...props, key: `${uid} ${props.workspaceId} ${props.limit}` })
    : null;
}

function Table({ workspaceId = '', limit, canChangeRoles = false, ...look }: MemberTableProps) {
  const { auth, texts } = useProvided();
  const part = partOf(look);
  /** The cursors of the pages before, and of this one. */
  const [cursors, setCursors] = useState<(string | undefined)[]>([undefined]);
  const page = useMembers(workspaceId, { limit, cursor: cursors.at(-1) });
  const workspace = useWorkspace(canChangeRoles ? workspaceId : undefined).data;
  const { choice, words } = useChoice(page.refresh);
  const { data } = page;

  /** A role that the project defines is called as it is defined. */
  const nameOf = (role: string): string =>
    role === 'admin' || role === 'member' ? texts.roles[role] : role;
  const roleOf = (member: ListedMember, name: string): ReactNode => {
    const { uid, role, suspended } = member;
    const label = nameOf(role) + (suspended ? ` (${texts.suspended})` : '');
    // Until the owner is known, anybody may be.
    if (!canChangeRoles || !workspace || workspace.owner_id === uid) return label;
    return choice(
      uid,
      { ...part('select', 'choice'), 'aria-label': texts.roleOf(name) },
      {
        value: role,
        options: [...new Set(['member', 'admin', role])].map((each) => [each, nameOf(each)]),
        choose: (to) =>
          auth.api.members
            .changeRole({ workspace_id: workspaceId, user_id: uid, role: to })
            .then(page.refresh),
      },
    );
  };
  const heading = (name: string) =>
    createElement(
      'th',
      { ...part('cell', name === texts.role ? 'role' : 'cell'), key: name, scope: 'col' },
      name,
    );
  const row = (member: ListedMember) => {
    const { uid, email, display_name, name } = member;
    const displayName = display_name || name.formatted || email || uid;
    return createElement(
      'tr',
      { ...part('row'), key: uid },
      createElement('td', part('cell'), displayName),
      createElement('td', part('cell'), email),
      createElement('td', part('cell', 'role'), roleOf(member, displayName)),
    );
  };
  const next = data?.next;
  const hasPrevious = cursors.length > 1;

  return createElement(
    'div',
    part('root', 'wide'),
    ...listState(part, texts, page, words),
    data &&
      createElement(
        'table',
        { ...part('table'), 'aria-busy': page.loading },
        createElement('caption', part('caption'), `${texts.members}: ${texts.total(data.total)}`),
        createElement(
          'thead',
          null,
          createElement('tr', null, [texts.name, texts.email, texts.role].map(heading)),
        ),
        createElement('tbody', null, data.result.map(row)),
      ),
    (hasPrevious || next) &&
      createElement(
        'div',
        part('bar'),
        // Both stay while a page is on its way, so that the focus does.
        button(part, texts.previous, {
          busy: !hasPrevious,
          onClick: () => hasPrevious && setCursors(cursors.slice(0, -1)),
        }),
        button(part, texts.next, {
          busy: !next,
          onClick: () => next && setCursors([...cursors, next]),
        }),
      ),
  );
}
