import { useState } from 'preact/hooks';
import type { LogEntry } from '../../../client/generated/api.ts';
import { api } from '../../session.ts';
import { dateAndTime, t, textOr } from '../../texts.ts';
import { List, useList } from '../../ui/list.tsx';
import { Section } from '../../ui/section.tsx';
import type { Part } from './part.ts';
import { roleName } from './roles.ts';

/** The audit log of a workspace, oldest first, as the service chains it. It is read once it is opened. */
export function Log(part: Part) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={t('log')}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t('showLog')}</summary>
        {isOpen && <Entries {...part} />}
      </details>
    </Section>
  );
}

function Entries({ workspace: { workspace_id }, roles }: Part) {
  const list = useList<LogEntry>(workspace_id, async (after) => {
    const { body } = await api.events.listOfWorkspace({ workspace_id, after });
    return { items: body.result, next: body.more ? body.next_cursor : undefined };
  });
  return (
    <List list={list} empty={t('noEvents')} keyOf={({ event }) => event.id}>
      {({ event: { type, time, actor, data } }) => {
        const { impersonator: id = '' } = actor;
        const actorValues = { id, actor: t(`actor.${actor.kind}`, { id: actor.id }) };
        const roleText = data.role && roleName(data.role, roles);
        const about = [data.email, data.domain, roleText, data.user_id].filter(Boolean);
        return (
          <div>
            <strong>{textOr(`event.${type}`, type)}</strong>
            <small dir="auto">{about.join(' · ')}</small>
            <small>
              {t(id ? 'byImpersonator' : 'byActor', actorValues)} · {dateAndTime(time)}
            </small>
          </div>
        );
      }}
    </List>
  );
}
