import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';

type Props = { project: string; webhook_id: string; disabled: boolean };

/** A time of the operator's own zone, as the field of the browser has it. */
const local = (time: number) =>
  new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** Sends every event of a time range again, as after an outage of the receiver. */
export function RedeliverRange({ project, webhook_id, disabled }: Props) {
  const [since, setSince] = useState(() => local(Date.now() - 3_600_000));
  const [until, setUntil] = useState(() => local(Date.now()));
  const send = async () => {
    await clientOf(project).webhooks.redeliver({
      webhook_id,
      since: new Date(since).toISOString(),
      until: new Date(until).toISOString(),
    });
  };
  const field = (label: string, value: string, set: (value: string) => void) => (
    <TextInput
      type="datetime-local"
      label={label}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value)}
      required
    />
  );
  return (
    <Dialog
      label="Send a time range again"
      title="Send a time range again"
      submit="Send"
      size="xs"
      disabled={disabled}
      valid={since !== '' && until !== '' && since <= until}
      onOpen={() => {
        setSince(local(Date.now() - 3_600_000));
        setUntil(local(Date.now()));
      }}
      onSubmit={send}
    >
      {field('From', since, setSince)}
      {field('To', until, setUntil)}
      <Explain>
        Every event of this time is sent, also those that arrived. One range at a time is under way;
        the attempts show how far it is.
      </Explain>
    </Dialog>
  );
}
