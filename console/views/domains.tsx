import { Badge, Code, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Domain } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { actions } from '../ui/rows.tsx';
import { totalOf } from '../ui/total.ts';
import { useLoad } from '../ui/use-load.ts';
import { When } from '../ui/when.tsx';

type Props = { project: string; workspace_id: string; onChange: () => void };
type Mode = Domain['mode'];

const modes: readonly { value: Mode; label: string }[] = [
  { value: 'suggest', label: 'suggest: they may ask to join' },
  { value: 'auto', label: 'auto: they may join at once' },
  { value: 'off', label: 'off: neither' },
];

/** The e-mail domains of a workspace, and how people of each may join. */
export function Domains({ project, workspace_id, onChange }: Props) {
  const { domains } = clientOf(project);
  const list = useLoad(`domains ${workspace_id}`, async (signal) => {
    const { body } = await domains.list({ workspace_id }, { signal });
    return { rows: body.result, total: totalOf(body, ['domain', 'domains']) };
  });
  const after = (work: Promise<unknown>) => list.after(work).then(onChange);
  const set = (domain: string, mode: Mode) => after(domains.set({ workspace_id, domain, mode }));
  return (
    <>
      <Group mb="sm" justify="flex-end">
        <AddDomain onAdd={set} />
      </Group>
      <List
        label="Domains"
        list={list}
        keyOf={({ domain }) => domain}
        empty="No domain is allowed or verified."
        columns={[
          { title: 'Domain', cell: ({ domain }) => domain },
          { title: 'Mode', cell: ({ mode }) => <Badge>{mode}</Badge> },
          {
            title: 'Verified',
            cell: ({ proven_at }) =>
              proven_at === undefined ? 'not by DNS' : <When at={proven_at} />,
          },
          {
            title: actions,
            cell: (each) => (
              <Group gap={4} justify="flex-end">
                <ChangeMode domain={each} onChange={(mode) => set(each.domain, mode)} />
                {each.proven_at === undefined && (
                  <Dialog
                    label="Verify"
                    title={`Verify ${each.domain}`}
                    size="xs"
                    onSubmit={() => after(domains.prove({ workspace_id, domain: each.domain }))}
                  >
                    <Explain>This TXT record is looked up now:</Explain>
                    <Code block className="json">
                      {`${each.record.name}\n${each.record.value}`}
                    </Code>
                  </Dialog>
                )}
              </Group>
            ),
          },
        ]}
      />
    </>
  );
}

const ModeSelect = ({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) => (
  <Select
    label="People with a verified e-mail in it"
    value={mode}
    onChange={(value) => onChange(modes.find((each) => each.value === value)?.value ?? mode)}
    data={modes}
    allowDeselect={false}
  />
);

type ChangeProps = { domain: Domain; onChange: (mode: Mode) => Promise<void> };

function ChangeMode({ domain: { domain, mode: before }, onChange }: ChangeProps) {
  const [mode, setMode] = useState(before);
  return (
    <Dialog
      label="Change"
      title={`Change ${domain}`}
      submit="Save"
      size="xs"
      valid={mode !== before}
      onOpen={() => setMode(before)}
      onSubmit={() => onChange(mode)}
    >
      <ModeSelect mode={mode} onChange={setMode} />
    </Dialog>
  );
}

function AddDomain({ onAdd }: { onAdd: (domain: string, mode: Mode) => Promise<void> }) {
  const [domain, setDomain] = useState('');
  const [mode, setMode] = useState<Mode>('suggest');
  return (
    <Dialog
      label="Add a domain"
      title="Add a domain"
      submit="Add"
      valid={domain.trim() !== ''}
      onOpen={() => {
        setDomain('');
        setMode('suggest');
      }}
      onSubmit={() => onAdd(domain.trim(), mode)}
    >
      <TextInput
        label="Domain"
        value={domain}
        onChange={({ currentTarget }) => setDomain(currentTarget.value)}
        placeholder="example.com"
        required
        data-autofocus
      />
      <ModeSelect mode={mode} onChange={setMode} />
    </Dialog>
  );
}
