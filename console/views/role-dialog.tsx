import { MultiSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Permission } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Reading } from '../ui/load-state.tsx';
import { DescribedPermission } from './described-permission.tsx';

type Fields = {
  role: string;
  name: string;
  description: string;
  permissions: string[];
  inherits: string[];
};
const none: Fields = { role: '', name: '', description: '', permissions: [], inherits: [] };

type Choices = { permissions: readonly Permission[]; roles: string[] };
type Props = {
  project: string;
  choices: Choices;
  onChange: () => void;
  /** The role to change; without it a new one is made. */
  role?: string;
};

/** Makes a role, or replaces one as it was read when the dialog opened. */
export function RoleDialog({ project, choices, onChange, role }: Props) {
  const [fields, setFields] = useState<Fields>();
  const [etag, setEtag] = useState<string>();
  const { roles } = clientOf(project);
  const read = (id: string) => async (signal: AbortSignal) => {
    const { body, headers } = await roles.get({ role: id }, { signal });
    const { name = '', description = '', permissions, inherits } = body;
    setEtag(headers.get('etag') ?? undefined);
    setFields({ role: id, name, description, permissions, inherits });
  };
  const save = async () => {
    const { role: id, name, description, ...grants } = fields ?? none;
    const texts = { name: name.trim(), description: description.trim() };
    await roles.set(
      {
        role: id.trim(),
        ...(texts.name !== '' && { name: texts.name }),
        ...(texts.description !== '' && { description: texts.description }),
        ...grants,
      },
      { ifMatch: etag },
    );
    onChange();
  };
  const isTaken = role === undefined && choices.roles.includes(fields?.role.trim() ?? '');
  return (
    <Dialog
      label={role === undefined ? 'New role' : 'Change'}
      title={role === undefined ? 'New role' : `Change the role ${role}`}
      submit={role === undefined ? 'Create' : 'Save'}
      size={role === undefined ? 'sm' : 'xs'}
      valid={fields !== undefined && /^[a-z][a-z0-9-]{0,31}$/.test(fields.role.trim()) && !isTaken}
      onOpen={() => {
        setEtag(undefined);
        setFields(role === undefined ? none : undefined);
      }}
      onSubmit={save}
    >
      {fields ? (
        <RoleFields
          fields={fields}
          isNew={role === undefined}
          isTaken={isTaken}
          choices={choices}
          onChange={(changes) => setFields({ ...fields, ...changes })}
        />
      ) : (
        role !== undefined && (
          <Reading id={`role ${project} ${role}`} label="the role" read={read(role)} />
        )
      )}
    </Dialog>
  );
}

type FieldsProps = {
  fields: Fields;
  isNew: boolean;
  isTaken: boolean;
  choices: Choices;
  onChange: (changes: Partial<Fields>) => void;
};

const RoleFields = ({ fields, isNew, isTaken, choices, onChange }: FieldsProps) => (
  <>
    {isNew && (
      <TextInput
        label="Role"
        description="By which members have it; it cannot be changed."
        placeholder="accountant"
        value={fields.role}
        onChange={({ currentTarget }) => onChange({ role: currentTarget.value })}
        error={isTaken ? 'There is such a role.' : undefined}
        required
        data-autofocus
      />
    )}
    <TextInput
      label="Name"
      description="That people see."
      value={fields.name}
      onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
    />
    <TextInput
      label="Description"
      value={fields.description}
      onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
    />
    <MultiSelect
      label="Permissions"
      // Found by what it says and by its id.
      data={choices.permissions.map(({ permission: value, description }) => ({
        value,
        label: description === undefined ? value : `${description} (${value})`,
      }))}
      renderOption={({ option: { value } }) => (
        <Text size="sm">
          <DescribedPermission id={value} permissions={choices.permissions} />
        </Text>
      )}
      value={fields.permissions}
      onChange={(permissions) => onChange({ permissions })}
      searchable
    />
    <MultiSelect
      label="Inherits from"
      description="It also holds what these roles hold."
      data={choices.roles.filter((each) => each !== fields.role)}
      value={fields.inherits}
      onChange={(inherits) => onChange({ inherits })}
      searchable
    />
  </>
);
