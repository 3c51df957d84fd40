import { Badge, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Webhook } from '../../client/generated/api.ts';
import { eventTypes } from '../../shared/model/events.ts';
import { clientOf } from '../ui/api.ts';
import { Secret } from '../ui/copy.tsx';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { Link } from '../ui/route.tsx';
import { totalOf } from '../ui/total.ts';
import { useLoad } from '../ui/use-load.ts';
import type { ViewProps } from '../ui/view-props.ts';
import { When } from '../ui/when.tsx';

export function WebhooksView({ project }: ViewProps) {
  const list = useLoad(`webhooks ${project}`, async (signal) => {
    const { body } = await clientOf(project).webhooks.list({}, { signal });
    return { rows: body.result, total: totalOf(body, ['webhook', 'webhooks']) };
  });
  return (
    <Page title="Webhooks" actions={<NewWebhook project={project} onCreate={list.reload} />}>
      <List
        label="Webhooks"
        list={list}
        keyOf={({ webhook_id }) => webhook_id}
        empty="Events of this project are sent to nobody yet."
        columns={[
          {
            title: 'URL',
            cell: ({ webhook_id, url }) => (
              <Link href={`/projects/${project}/webhooks/${webhook_id}`} fw={500}>
                {url}
              </Link>
            ),
          },
          { title: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
          {
            title: 'Events',
            cell: ({ event_types: { length } }) =>
              length === 0 ? 'every type' : `${length} types`,
          },
          { title: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
        ]}
      />
    </Page>
  );
}

/** Why a webhook gets nothing, in words. */
const disabledReasons = {
  request: 'disabled',
  gone: 'disabled: it answered 410',
  failing: 'disabled: it failed for five days',
};

export const WebhookState = ({ webhook }: { webhook: Webhook }) =>
  webhook.disabled ? (
    <Badge color="gray" variant="outline">
      {disabledReasons[webhook.disabled_because ?? 'request']}
    </Badge>
  ) : webhook.failing_since === undefined ? (
    <Badge>enabled</Badge>
  ) : (
    <Badge color="red" variant="outline">
      failing
    </Badge>
  );

function NewWebhook({ project, onCreate }: { project: string; onCreate: () => void }) {
  const [url, setUrl] = useState('');
  const [types, setTypes] = useState<string[]>([]);
  const create = async () => {
    const { body } = await clientOf(project).webhooks.create({
      url: url.trim(),
      event_types: types as Webhook['event_types'],
    });
    onCreate();
    return (
      <Stack gap="xs">
        <Explain>
          The receiver verifies the signatures of the webhook with this secret. It is not shown
          again.
        </Explain>
        <Secret value={body.secret} label="secret" />
      </Stack>
    );
  };
  return (
    <Dialog
      label="New webhook"
      title="New webhook"
      submit="Create"
      valid={url.trim() !== ''}
      onOpen={() => {
        setUrl('');
        setTypes([]);
      }}
      onSubmit={create}
    >
      <TextInput
        label="URL"
        type="url"
        placeholder="https://example.com/webhooks"
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        required
        data-autofocus
      />
      <MultiSelect
        label="Types of events"
        description="None: every type."
        data={Object.keys(eventTypes)}
        value={types}
        onChange={setTypes}
        searchable
      />
    </Dialog>
  );
}
