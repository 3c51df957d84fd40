import { Badge, Button, Stack } from '@mantine/core';
import type { WebhookAttempt } from '../../client/generated/api.ts';
import { nextCursor } from '../../client/pages.ts';
import { clientOf } from '../ui/api.ts';
import { Id, Secret } from '../ui/copy.tsx';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { go, Link, useQuery } from '../ui/route.tsx';
import { actions } from '../ui/rows.tsx';
import { useLoad } from '../ui/use-load.ts';
import type { ViewProps } from '../ui/view-props.ts';
import { When } from '../ui/when.tsx';
import { RedeliverRange } from './redeliver-range.tsx';
import { WebhookState } from './webhooks.tsx';

export function WebhookView({ project, id }: ViewProps) {
  const { webhooks } = clientOf(project);
  const loaded = useLoad(`webhook ${id}`, async (signal) => {
    const { body } = await webhooks.get({ webhook_id: id }, { signal });
    return body;
  });
  const { data, after } = loaded;
  const above = <Link href={`/projects/${project}/webhooks`}>Webhooks</Link>;
  const state = <LoadState of={loaded} label="the webhook" />;
  if (!data)
    return (
      <Page title="Webhook" above={above}>
        {state}
      </Page>
    );
  const set = (disabled: boolean) => after(webhooks.update({ webhook_id: id, disabled }));
  const rotate = async () => {
    const { body } = await webhooks.rotateSecret({ webhook_id: id });
    return (
      <Stack gap="xs">
        <Explain>
          The previous secret signs too for one more day. This one is not shown again.
        </Explain>
        <Secret value={body.secret} label="secret" />
      </Stack>
    );
  };
  const remove = async () => {
    await webhooks.delete({ webhook_id: id });
    go(`/projects/${project}/webhooks`);
  };
  const host = URL.parse(data.url)?.host ?? data.url;
  return (
    <Page
      title={host}
      above={above}
      actions={
        <>
          {data.disabled ? (
            <Dialog label="Enable" title="Enable this webhook?" onSubmit={() => set(false)}>
              <Explain>
                Events that happened meanwhile are not sent: redeliver their time range.
              </Explain>
            </Dialog>
          ) : (
            <Dialog label="Disable" title="Disable this webhook?" onSubmit={() => set(true)}>
              <Explain>Nothing is sent until you enable it.</Explain>
            </Dialog>
          )}
          <Dialog label="New secret" title="Create a new secret?" submit="Create" onSubmit={rotate}>
            <Explain>Both secrets sign for one day, so that the receiver can change.</Explain>
          </Dialog>
          <Dialog label="Delete" title="Delete this webhook?" danger typed={host} onSubmit={remove}>
            <Explain>No more events are sent, and retries that wait are not made.</Explain>
          </Dialog>
        </>
      }
    >
      {state}
      <Facts
        rows={[
          ['Id', <Id key="id" value={id} label="id" />],
          ['URL', data.url],
          ['State', <WebhookState key="state" webhook={data} />],
          ...(data.failing_since === undefined
            ? []
            : [
                ['Failing since', <When key="since" at={data.failing_since} />] as [
                  string,
                  React.ReactNode,
                ],
              ]),
          ['Events', data.event_types.join(', ') || 'every type'],
          ['Created', <When key="created" at={data.created_at} />],
        ]}
      />
      <Attempts project={project} webhook_id={id} disabled={data.disabled} />
    </Page>
  );
}

type AttemptsProps = { project: string; webhook_id: string; disabled: boolean };

function Attempts({ project, webhook_id, disabled }: AttemptsProps) {
  const { webhooks } = clientOf(project);
  const [query] = useQuery();
  const cursor = query.get('cursor') ?? undefined;
  const list = useLoad(`attempts ${webhook_id} ${cursor}`, async (signal) => {
    const input = { webhook_id, cursor, limit: 25 };
    const { body, headers } = await webhooks.listAttempts(input, { signal });
    return { rows: body.result, next: nextCursor(headers) };
  });
  const again = (event_id: string) => async () => {
    await webhooks.redeliver({ webhook_id, event_id });
    // The answer comes before anything is sent.
    setTimeout(list.reload, 1_500);
  };
  return (
    <Section
      title="Attempts of the last 30 days"
      actions={
        <>
          <Button size="xs" variant="default" onClick={list.reload}>
            Reload
          </Button>
          <RedeliverRange project={project} webhook_id={webhook_id} disabled={disabled} />
        </>
      }
    >
      <List
        label="Attempts"
        list={list}
        keyOf={({ event_id, attempted_at, attempt }) => `${event_id} ${attempted_at} ${attempt}`}
        empty="Nothing was sent yet."
        columns={[
          { title: 'Event', cell: ({ type }) => type },
          { title: 'Result', cell: (attempt) => <Result attempt={attempt} /> },
          { title: 'Attempt', cell: ({ attempt }) => attempt },
          { title: 'When', cell: ({ attempted_at }) => <When at={attempted_at} /> },
          {
            title: 'Next',
            cell: ({ next_attempt_at }) =>
              next_attempt_at === undefined ? '–' : <When at={next_attempt_at} />,
          },
          {
            title: actions,
            cell: ({ event_id }) => (
              <Dialog
                label="Send again"
                title="Send this event again?"
                size="xs"
                disabled={disabled}
                onSubmit={again(event_id)}
              >
                <Explain>The receiver gets it with the same id.</Explain>
              </Dialog>
            ),
          },
        ]}
      />
    </Section>
  );
}

const Result = ({ attempt: { status_code, failure } }: { attempt: WebhookAttempt }) => {
  const works = status_code !== undefined && status_code >= 200 && status_code < 300;
  return works ? (
    <Badge color="green">{status_code}</Badge>
  ) : (
    <Badge color="red" variant="outline">
      {status_code ?? failure?.replaceAll('_', ' ')}
    </Badge>
  );
};
