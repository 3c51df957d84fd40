import { deviceName } from '../../../client/device-name.ts';
import type { SessionInfo, User } from '../../../client/generated/api.ts';
import { titleOf } from '../../../client/providers/title.ts';
import { unlessGone } from '../../failures.ts';
import { api, leave } from '../../session.ts';
import { dateAndTime, t, textOr } from '../../texts.ts';
import { Action } from '../../ui/action.tsx';
import { List, useList } from '../../ui/list.tsx';
import { Section } from '../../ui/section.tsx';

/** Where somebody is signed in. A file of its own: the page comes before it. */
export function Sessions({ user }: { user: User }) {
  const load = async () => ({ items: (await api.sessions.list()).body.result });
  // A changed password, which changes the user, ends the others.
  const list = useList<SessionInfo>(user.uid, load, user.modified_at);
  const end = (session_id: string) => async () => {
    await api.sessions.end({ session_id }).catch(unlessGone);
    await list.refresh();
  };
  const endAll = async () => {
    await api.sessions.endAll();
    await leave();
  };
  return (
    <Section title={t('sessions')}>
      <List list={list} empty="" keyOf={(each) => each.session_id}>
        {(each) => {
          const { method, client_id, address, created_at, last_refreshed_at, current, actor } =
            each;
          const device = actor
            ? t('byActor', { actor: actor.id })
            : deviceName(each.user_agent) || t('unknownDevice');
          return (
            <>
              <div>
                <strong dir="auto">{device}</strong>
                {actor && <small dir="auto">{actor.reason}</small>}
                {current && <small>{t('thisSession')}</small>}
                <small>
                  {[textOr(`method.${method}`, titleOf(method)), client_id, address]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
                <small>
                  {t('sessionTimes', {
                    from: dateAndTime(created_at),
                    until: dateAndTime(last_refreshed_at),
                  })}
                </small>
              </div>
              {!current && (
                <Action look="plain" about={device} onAction={end(each.session_id)}>
                  {t('end')}
                </Action>
              )}
            </>
          );
        }}
      </List>
      <Action look="danger" confirm={t('signOutEverywhereSure')} onAction={endAll}>
        {t('signOutEverywhere')}
      </Action>
    </Section>
  );
}
