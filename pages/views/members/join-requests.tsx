import type { ListedJoinRequest } from '../../../client/generated/api.ts';
import { nameOf } from '../../frame.tsx';
import { api } from '../../session.ts';
import { date, t } from '../../texts.ts';
import { Action } from '../../ui/action.tsx';
import { List, pageAt, pageOf, useList } from '../../ui/list.tsx';
import { Section } from '../../ui/section.tsx';
import type { Part } from './part.ts';

export function JoinRequests({ workspace: { workspace_id }, refresh }: Part) {
  const list = useList<ListedJoinRequest>(workspace_id, async (cursor) => {
    const { body, headers } = await api.joinRequests.list({ workspace_id, ...pageAt(cursor) });
    return pageOf(body.result, headers, body.total);
  });
  const after = (work: () => Promise<unknown>) => async () => {
    await work();
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
              <Action
                about={nameOf(user)}
                onAction={after(() => api.joinRequests.approve({ workspace_id, user_id }))}
              >
                {t('approve')}
              </Action>
              <Action
                look="plain"
                about={nameOf(user)}
                onAction={after(() => api.joinRequests.delete({ workspace_id, user_id }))}
              >
                {t('refuse')}
              </Action>
            </div>
          </>
        )}
      </List>
    </Section>
  );
}
