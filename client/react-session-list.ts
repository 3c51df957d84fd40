import { createElement, type ReactNode, useRef, useState } from 'react';
import { deviceName } from './device-name.ts';
import type { SessionInfo } from './generated/api.ts';
import { titleOf } from './provider-title.ts';
import { useList } from './react-data.ts';
import { alert, button, useAction } from './react-form.ts';
import type { Given } from './react-later.ts';
import { useProvided } from './react-session.ts';
import { wordsFor } from './react-texts.ts';

/** The sessions of who is signed in. */
export function SessionList({ part, words }: Given): ReactNode {
  const { auth, texts } = useProvided();
  const status = useRef<{ focus(): void }>(null);
  const [said, setSaid] = useState('');
  const { run, busy, words: failed } = useAction(words.errors);
  const { data, error, refresh } = useList<SessionInfo[]>(
    'sessions',
    async (api, signal) => (await api.sessions.list({}, { signal })).body.result,
  );
  const end = (session_id: string, device: string) =>
    run(async () => {
      await auth.api.sessions.end({ session_id });
      await refresh();
      setSaid(words.sessionEnded(device));
      // What was pressed is gone.
      status.current?.focus();
    });
  const row = (session: SessionInfo) => {
    const { session_id, method, client_id, address, user_agent, current, actor } = session;
    const device = actor
      ? words.sessionBy(actor.id)
      : deviceName(user_agent) || words.sessionUnknown;
    const [from, until] = [session.created_at, session.last_refreshed_at].map((at) =>
      words.time(new Date(at)),
    );
    const how = [words.sessionMethods[method] ?? titleOf(method), client_id, address];
    return createElement(
      'li',
      { key: session_id, ...part('item') },
      createElement('strong', { ...part('note'), dir: 'auto' }, device),
      current && createElement('span', part('note'), words.sessionHere),
      createElement('span', part('note'), how.filter(Boolean).join(' · ')),
      createElement('span', part('note'), words.sessionTimes(`${from}`, `${until}`)),
      !current &&
        button(part, words.sessionEnd(device), { busy, onClick: () => end(session_id, device) }),
    );
  };
  return createElement(
    'section',
    { ...part('root'), 'aria-label': words.sessions },
    createElement('h2', part('heading'), words.sessions),
    createElement(
      'p',
      { ...part('note'), role: 'status', tabIndex: -1, ref: status as never },
      said,
    ),
    alert(part, failed ?? (error === undefined ? undefined : wordsFor(error, texts))),
    error !== undefined && button(part, texts.again, { onClick: () => void refresh() }),
    !data && error === undefined && createElement('p', part('note'), texts.loading),
    data && createElement('ul', part('list'), data.map(row)),
  );
}
