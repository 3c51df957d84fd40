import { createElement, type ReactNode } from 'react';
import { deviceName } from '../device-name.ts';
import type { SessionInfo } from '../generated/api.ts';
import { titleOf } from '../providers/title.ts';
import { useAnnouncement } from './announcement.ts';
import { button, useAction } from './form.ts';
import type { PartProps } from './later.ts';
import { type ListHook, useList } from './list-hooks.ts';
import { listState } from './list-state.ts';
import { useProvided } from './session.ts';
import { unlessGone } from './unless-gone.ts';

const itemStyle = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 4,
  padding: '4px 0',
};

export const useSessions = (): ListHook<SessionInfo[]> =>
  useList<SessionInfo[]>(
    'sessions',
    async (api, signal) => (await api.sessions.list({}, { signal })).body.result,
  );

/** The sessions of the signed-in user. */
export function SessionList({ part, words }: PartProps): ReactNode {
  const { auth, texts } = useProvided();
  const { announcement, announce } = useAnnouncement(part);
  const { run, busy, words: failureText } = useAction(words.errors);
  const sessions = useSessions();
  const { data, refresh } = sessions;
  const end = (session_id: string, device: string) =>
    run(async () => {
      announce('');
      await auth.api.sessions.end({ session_id }).catch(unlessGone);
      await refresh();
      announce(words.sessionEnded(device));
    });
  const row = (session: SessionInfo) => {
    const { session_id, method, client_id, address, user_agent, current, actor } = session;
    const device = actor?.id ?? (deviceName(user_agent) || words.sessionUnknown);
    const [from, until] = [session.created_at, session.last_refreshed_at].map((at) =>
      words.time(new Date(at)),
    );
    const { sessionMethods } = words;
    const by = Object.hasOwn(sessionMethods, method) ? sessionMethods[method] : titleOf(method);
    const note = (text: string) => createElement('span', { ...part('note'), dir: 'auto' }, text);
    return createElement(
      'li',
      { key: session_id, ...part('item', itemStyle) },
      createElement(
        'strong',
        { ...part('note'), dir: 'auto' },
        actor ? words.sessionBy(device) : device,
      ),
      actor && note(actor.reason),
      current && note(words.sessionHere),
      note([by, client_id, address].filter(Boolean).join(' · ')),
      note(words.sessionTimes(`${from}`, `${until}`)),
      !current &&
        button(part, words.sessionEnd(device), { busy, onClick: () => end(session_id, device) }),
    );
  };
  return createElement(
    'section',
    { ...part('root'), 'aria-label': words.sessions },
    createElement('h2', part('heading'), words.sessions),
    announcement,
    ...listState(part, texts, sessions, failureText),
    data && createElement('ul', part('list'), data.map(row)),
  );
}
