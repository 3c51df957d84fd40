import { useState } from 'preact/hooks';
import type { JoinLink, NewJoinLink } from '../../../client/generated/api.ts';
import { unlessGone } from '../../failures.ts';
import { api } from '../../session.ts';
import { count, date, t } from '../../texts.ts';
import { Action, Copy } from '../../ui/action.tsx';
import { daySeconds, daysOf } from '../../ui/days.ts';
import { Choice, Field, Form } from '../../ui/form.tsx';
import { List, useList } from '../../ui/list.tsx';
import { Section } from '../../ui/section.tsx';
import type { Part } from './part.ts';
import { roleName, rolesToGive } from './roles.ts';

export function JoinLinks({ workspace: { workspace_id }, roles, may }: Part) {
  const [newLink, setNewLink] = useState<NewJoinLink>();
  const list = useList<JoinLink>(workspace_id, async () => {
    const { body } = await api.joinLinks.list({ workspace_id });
    return { items: body.result };
  });
  const create = async (values: Record<string, string>) => {
    const { role, days, max_uses } = values;
    const { body } = await api.joinLinks.create({
      workspace_id,
      role,
      expires_in: Number(days) * daySeconds,
      ...(max_uses && { max_uses: Number(max_uses) }),
      ...(values['restricted'] !== undefined && { restrict_to_allowed_domains: true }),
    });
    setNewLink(body);
    await list.refresh();
  };
  const revoke = (link_id: string) => async () => {
    await api.joinLinks.revoke({ workspace_id, link_id }).catch(unlessGone);
    if (newLink?.link_id === link_id) setNewLink(undefined);
    await list.refresh();
  };
  return (
    <Section title={t('joinLinks')}>
      {newLink && (
        <p>
          {t('joinLinkOnce')} <Copy text={newLink.url} about={t('joinLink')} />
        </p>
      )}
      <List list={list} empty={t('noJoinLinks')} keyOf={({ link_id }) => link_id}>
        {(link) => (
          <>
            <div>
              <strong>{t('joinLinkOf', { date: date(link.created_at) })}</strong>
              <small>
                {[
                  roleName(link.role, roles),
                  t('validUntil', { date: date(link.expires_at) }),
                  count('uses', link.use_count),
                  link.max_uses !== undefined && t('ofUses', { count: link.max_uses }),
                  link.restrict_to_allowed_domains && t('restricted'),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </div>
            {may('join-link:revoke') && (
              <Action
                look="danger"
                about={t('joinLinkOf', { date: date(link.created_at) })}
                onAction={revoke(link.link_id)}
              >
                {t('revoke')}
              </Action>
            )}
          </>
        )}
      </List>
      {may('join-link:create') && (
        <details>
          <summary>{t('newJoinLink')}</summary>
          <Form submit={t('create')} onSubmit={create}>
            <Choice
              label={t('role')}
              name="role"
              options={rolesToGive(roles, 'assignable_by_link')}
            />
            <Choice label={t('validFor')} name="days" options={daysOf(30, 1, 7, 365)} />
            <Field
              label={t('maxUses')}
              name="max_uses"
              type="number"
              min={1}
              max={100_000}
              required={false}
            />
            <label>
              <input type="checkbox" name="restricted" />
              <span>{t('restrict')}</span>
            </label>
          </Form>
        </details>
      )}
    </Section>
  );
}
