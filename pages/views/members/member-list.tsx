import { useRef, useState } from 'preact/hooks';
import type { ListedMember } from '../../../client/generated/api.ts';
import { unlessGone } from '../../failures.ts';
import { nameOf } from '../../frame.tsx';
import { api } from '../../session.ts';
import { count, t } from '../../texts.ts';
import { Action } from '../../ui/action.tsx';
import { List, pageAt, pageOf, useList } from '../../ui/list.tsx';
import { Section } from '../../ui/section.tsx';
import type { Part } from './part.ts';
import { RoleChoice } from './role-choice.tsx';
import { roleName } from './roles.ts';

/** Milliseconds: nobody types a name slower, and each search is a request. */
const pause = 300;

export function MemberList({ workspace, user, roles, may, refresh }: Part) {
  const { workspace_id, owner_id, ownership_offered_to } = workspace;
  const [query, setQuery] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const list = useList<ListedMember>(`${workspace_id} ${query}`, async (cursor) => {
    const filter = query === '' ? {} : { query };
    const { body, headers } = await api.members.list({
      workspace_id,
      status: 'accepted',
      ...filter,
      ...pageAt(cursor),
    });
    return pageOf(body.result, headers, body.total);
  });
  const search = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setQuery(text.trim()), pause);
  };
  const after = (work: () => Promise<unknown>) => async () => {
    await work().catch(unlessGone);
    await Promise.all([list.refresh(), refresh()]);
  };
  const isOwner = owner_id === user.uid;
  const manages = may('member:change-role') || may('member:suspend') || may('member:remove');

  const row = (member: ListedMember) => {
    const { uid, email, role, suspended = false } = member;
    const name = nameOf(member);
    const target = { workspace_id, user_id: uid };
    const state = [
      roleName(uid === owner_id ? 'owner' : role, roles),
      suspended && t('suspended'),
      uid === ownership_offered_to && t('offeredOwnership'),
      uid === user.uid && t('you'),
    ];
    return (
      <>
        <div>
          <strong dir="auto">{name}</strong>
          {name !== email && <small dir="auto">{email}</small>}
          <small>{state.filter(Boolean).join(' · ')}</small>
        </div>
        {manages && uid !== owner_id && uid !== user.uid && (
          <div class="buttons">
            {may('member:change-role') && (
              <RoleChoice
                label={t('roleOf', { name })}
                role={role}
                roles={roles}
                onRole={(next) => after(() => api.members.changeRole({ ...target, role: next }))()}
              />
            )}
            {may('member:suspend') && (
              <Action
                look="plain"
                about={name}
                onAction={after(() => api.members.suspend({ ...target, suspended: !suspended }))}
              >
                {t(suspended ? 'resume' : 'suspend')}
              </Action>
            )}
            {isOwner && role === 'admin' && !suspended && uid !== ownership_offered_to && (
              <Action
                look="plain"
                about={name}
                confirm={t('offerSure')}
                onAction={after(() => api.ownership.offer(target))}
              >
                {t('offerOwnership')}
              </Action>
            )}
            {isOwner && uid === ownership_offered_to && (
              <Action
                look="plain"
                about={name}
                onAction={after(() => api.ownership.end({ workspace_id }))}
              >
                {t('withdrawOffer')}
              </Action>
            )}
            {may('member:remove') && (
              <Action
                look="danger"
                about={name}
                confirm={t('removeSure', { name })}
                onAction={after(() => api.members.remove(target))}
              >
                {t('remove')}
              </Action>
            )}
          </div>
        )}
      </>
    );
  };
  return (
    <Section title={t('members')}>
      <label>
        {t('search')}
        <input
          type="search"
          dir="auto"
          autocomplete="off"
          onInput={({ currentTarget }) => search(currentTarget.value)}
        />
      </label>
      <p role="status" class="quiet">
        {query !== '' && list.state === 'ready' && count('found', list.total ?? 0)}
      </p>
      <List list={list} empty={t('nobodyFound')} keyOf={({ uid }) => uid}>
        {row}
      </List>
    </Section>
  );
}
