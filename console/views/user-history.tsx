import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import type { UserExport } from '../../client/generated/api.ts';
import { clientOf, readProject } from '../ui/api.ts';
import { LoadState } from '../ui/load-state.tsx';
import { Facts, Section } from '../ui/page.tsx';
import { Link } from '../ui/route.tsx';
import { useLoad } from '../ui/use-load.ts';
import { When } from '../ui/when.tsx';
import { EventRows } from './event-rows.tsx';
import { SignInObstacles } from './sign-in-obstacles.tsx';

type Props = { project: string; uid: string; round: number };

/** How many events are added at once. */
const step = 50;

/**
 * What a user signs in with, what keeps them from it, and what happened to them: parts of an export, which is only read
 * where it is asked for.
 *
 * @param props `round` changes when it has to be read anew
 */
export function UserHistory(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Sign-in and events">
      {open ? (
        <History {...props} />
      ) : (
        <div>
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            Show
          </Button>
        </div>
      )}
    </Section>
  );
}

function History({ project, uid, round }: Props) {
  const [count, setCount] = useState(step);
  const history = useLoad(`history ${uid} ${round}`, async (signal) => {
    const [{ body }, settings] = await Promise.all([
      clientOf(project).users.export({ uid }, { signal }),
      readProject(project, signal),
    ]);
    return { ...body, events: body.events.toReversed(), settings };
  });
  if (!history.data) return <LoadState of={history} label="sign-in and events" />;
  const { events, settings } = history.data;
  return (
    <Stack gap="sm">
      <SignInObstacles project={settings} data={history.data} />
      <Facts rows={factsOf(project, history.data)} />
      <EventRows project={project} events={events.slice(0, count)} />
      <div>
        <Button
          size="xs"
          variant="default"
          disabled={count >= events.length}
          onClick={() => setCount(count + step)}
        >
          Earlier events
        </Button>
      </div>
    </Stack>
  );
}

function factsOf(project: string, { password, factors = [], passkeys = [], ...data }: UserExport) {
  const [factor] = factors;
  return [
    ['Password', password ? <When key="password" at={password.changed_at} exact /> : 'none'],
    ['Second factor', factor ? <When key="factor" at={factor.created_at} exact /> : 'none'],
    ['Passkeys', String(passkeys.length)],
    ['Linked accounts', data.identities.map(({ provider }) => provider).join(', ') || 'none'],
    [
      'Invitations',
      data.invitations.length === 0 ? (
        'none'
      ) : (
        <Stack gap={4} key="invitations">
          {data.invitations.map(({ workspace_id, workspace_name, state, expires_at }) => (
            <span key={workspace_id}>
              <Link href={`/projects/${project}/workspaces/${workspace_id}?tab=invitations`}>
                <bdi>{workspace_name}</bdi>
              </Link>{' '}
              {state === 'expired' ? 'expired' : 'expires'} <When at={expires_at} />
            </span>
          ))}
        </Stack>
      ),
    ],
    [
      'Events',
      data.events_truncated
        ? `the newest ${data.events.length.toLocaleString('en')} of the last 90 days`
        : `${data.events.length.toLocaleString('en')} in the last 90 days`,
    ],
  ] satisfies [string, React.ReactNode][];
}
