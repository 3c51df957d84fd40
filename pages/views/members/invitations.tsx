import { useState } from 'preact/hooks';
import type { Invitation } from '../../../client/generated/api.ts';
import { unlessGone } from '../../failures.ts';
import { api } from '../../session.ts';
import { date, t } from '../../texts.ts';
import { Action } from '../../ui/action.tsx';
import { List, pageAt, pageOf, useList } from '../../ui/list.tsx';
import { Section } from '../../ui/section.tsx';
import type { Part } from './part.ts';
import { roleName } from './roles.ts';

/** The invitations that nobody has accepted yet. */
export function Invitations({ workspace: { workspace_id }, changes, roles, may }: Part) {
  const [state, setState] = useState<Invitation['state']>('pending');
  const list = useList<Invitation>(`${state} ${changes}`, async (cursor) => {
    const { body, headers } = await api.invitations.list({
      workspace_id,
      state,
      ...pageAt(cursor),
    });
    return pageOf(body.result, headers, body.total);
  });
  const after = (work: () => Promise<unknown>) => async () => {
    await work().catch(unlessGone);
    await list.refresh();
  };
  return (
    <Section title={t('openInvitations')}>
      <label>
        {t('state')}
        <select
          value={state}
          onChange={({ currentTarget }) => setState(currentTarget.value as Invitation['state'])}
        >
          <option value="pending">{t('pending')}</option>
          <option value="expired">{t('expired')}</option>
        </select>
      </label>
      <List list={list} empty={t('noInvitations')} keyOf={({ member_id }) => member_id}>
        {({ email, user_id, role, expires_at }) => (
          <>
            <div>
              <strong dir="auto">{email}</strong>
              <small>
                {roleName(role, roles)} · {t('validUntil', { date: date(expires_at) })}
              </small>
            </div>
            <div class="buttons">
              {may('invitation:resend') && (
                <Action
                  look="plain"
                  about={email}
                  onAction={after(() => api.invitations.resend({ workspace_id, user_id }))}
                >
                  {t('resend')}
                </Action>
              )}
              {may('invitation:revoke') && (
                <Action
                  look="danger"
                  about={email}
                  onAction={after(() => api.invitations.end({ workspace_id, user_id }))}
                >
                  {t('revoke')}
                </Action>
              )}
            </div>
          </>
        )}
      </List>
    </Section>
  );
}
