import { Badge, Text } from '@mantine/core';
import type { SessionInfo } from '../../client/generated/api.ts';
import { ActedBy } from '../ui/acted-by.tsx';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Section } from '../ui/page.tsx';
import { actions } from '../ui/rows.tsx';
import { useLoad } from '../ui/use-load.ts';
import { When } from '../ui/when.tsx';

type Props = { project: string; uid: string; round: number };

/** @param props `round` changes when the list has to be read anew */
export function UserSessions({ project, uid, round }: Props) {
  const { sessions } = clientOf(project);
  const list = useLoad(`sessions ${uid} ${round}`, async (signal) => {
    const { body } = await sessions.list({ user_id: uid }, { signal });
    return { rows: body.result };
  });
  const { data, after } = list;
  const endAll = () => after(sessions.endAll({ user_id: uid }));
  const end = (session_id: string) => () => after(sessions.end({ session_id, user_id: uid }));
  return (
    <Section
      title="Sessions"
      actions={
        (data?.rows.length ?? 0) > 1 && (
          <Dialog label="End all" title="End every session?" danger size="xs" onSubmit={endAll}>
            <Explain>The user has to sign in again on every device.</Explain>
          </Dialog>
        )
      }
    >
      <List
        label="Sessions"
        list={list}
        keyOf={({ session_id }) => session_id}
        empty="Nobody is signed in as this user."
        columns={[
          { title: 'How', cell: (session) => <How session={session} /> },
          { title: 'Network', cell: ({ address }) => address || '–' },
          { title: 'Started', cell: ({ created_at }) => <When at={created_at} /> },
          { title: 'Used', cell: ({ last_refreshed_at }) => <When at={last_refreshed_at} /> },
          {
            title: actions,
            cell: (session) => (
              <Dialog
                label="End"
                title={`End the session by ${nameOf(session)}?`}
                size="xs"
                onSubmit={end(session.session_id)}
              >
                <Explain>
                  It started <When at={session.created_at} />. Its next request is refused.
                </Explain>
              </Dialog>
            ),
          },
        ]}
      />
    </Section>
  );
}

const nameOf = ({ user_agent, method }: SessionInfo) => user_agent || method;

const How = ({ session }: { session: SessionInfo }) => (
  <>
    <Text size="sm">{nameOf(session)}</Text>
    {session.actor && (
      <>
        <ActedBy id={session.actor.id} />
        <Text size="sm">
          <bdi>{session.actor.reason}</bdi>
        </Text>
      </>
    )}
    {session.client_id !== undefined && <Badge>{session.client_id}</Badge>}
  </>
);
