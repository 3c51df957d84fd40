import { useState } from 'preact/hooks';
import type { ListedJoinRequest } from '../../../client/generated/api.ts';
import { unlessGone } from '../../failures.ts';
import { nameOf } from '../../frame.tsx';
import { api } from '../../session.ts';
import { date, t } from '../../texts.ts';
import { Action } from '../../ui/action.tsx';
import { List, pageAt, pageOf, useList } from '../../ui/list.tsx';
import { OptionList, type Options } from '../../ui/options.tsx';
import { Section } from '../../ui/section.tsx';
import type { Part } from './part.ts';
import { rolesToGive } from './roles.ts';

export function JoinRequests({ workspace: { workspace_id }, roles, may, refresh }: Part) {
  const list = useList<ListedJoinRequest>(workspace_id, async (cursor) => {
    const { body, headers } = await api.joinRequests.list({ workspace_id, ...pageAt(cursor) });
    return pageOf(body.result, headers, body.total);
  });
  const after = (work: () => Promise<unknown>) => async () => {
    await work().catch(unlessGone);
    await Promise.all([list.refresh(), refresh()]);
  };
  return (
    <Section title={t('joinRequests')}>
      <List list={list} empty={t('noJoinRequests')} keyOf={({ user_id }) => user_id}>
        {({ user, user_id, message, created_at }) => (
          <>
            <div>
              <strong dir="auto">{nameOf(user)}</strong>
              {nameOf(user) !== user.email && <small dir="auto">{user.email}</small>}
              {message && (
                <small>
                  <q dir="auto">{message}</q>
                </small>
              )}
              <small>{date(created_at)}</small>
            </div>
            <div class="buttons">
              {may('join-request:approve') && (
                <Approve
                  name={nameOf(user)}
                  options={rolesToGive(roles, 'assignable')}
                  onRole={(role) =>
                    after(() => api.joinRequests.approve({ workspace_id, user_id, role }))()
                  }
                />
              )}
              {may('join-request:refuse') && (
                <Action
                  look="plain"
                  about={nameOf(user)}
                  onAction={after(() => api.joinRequests.delete({ workspace_id, user_id }))}
                >
                  {t('refuse')}
                </Action>
              )}
            </div>
          </>
        )}
      </List>
    </Section>
  );
}

type ApproveProps = {
  name: string;
  options: Options;
  onRole: (role: string) => Promise<unknown>;
};

/** Approves a request, with the role that is chosen beside it. */
function Approve({ name, options, onRole }: ApproveProps) {
  const [role, setRole] = useState('member');
  return (
    <>
      {options.length > 1 && (
        <select
          aria-label={t('roleOf', { name })}
          value={role}
          onChange={({ currentTarget }) => setRole(currentTarget.value)}
        >
          <OptionList of={options} />
        </select>
      )}
      <Action about={name} onAction={() => onRole(role)}>
        {t('approve')}
      </Action>
    </>
  );
}
