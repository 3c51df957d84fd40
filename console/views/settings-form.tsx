import {
  Button,
  Group,
  JsonInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import type { RequestOf } from '../../shared/operator/request.ts';
import type { ProjectSummary } from '../../shared/operator/summary.ts';
import { operate } from '../ui/api.ts';
import { Failure } from '../ui/failure.tsx';
import { Section } from '../ui/page.tsx';
import { useAction } from '../ui/use-action.ts';

type Fields = Record<string, string | boolean>;
type Props = { project: ProjectSummary; onSave: () => void };

/** Switches: what is on, in words. */
const switches: [name: keyof ProjectSummary, label: string, defaults: boolean][] = [
  ['password_sign_in', 'Users sign in with a password', false],
  ['code_sign_in', 'Users sign in with a code sent by e-mail', false],
  ['sign_up', 'Users may sign up by themselves', false],
  ['new_device_mail', 'Users get a mail about a sign-in from a new device', true],
  ['hosted_pages', 'The service shows its own pages for sign-in and account', false],
  ['create_users_on_get', 'GET /users/{uid} creates a missing user', true],
];
const texts: [name: keyof ProjectSummary, label: string, about?: string][] = [
  ['mail_sender', 'Sender of mails', 'Empty: that of the deployment.'],
  ['mail_sender_name', 'Product name in mails', 'Empty: the name of the project.'],
  ['invitation_base_url', 'Base URL of invitation links'],
];
const objects: [name: keyof ProjectSummary, label: string][] = [
  ['identity_providers', 'Identity providers'],
  ['mail_links', 'Links in mails'],
  ['branding', 'Branding of the hosted pages'],
];

/** The settings of a project. Only what was changed is sent, so that nothing of somebody else is undone. */
export function SettingsForm({ project, onSave }: Props) {
  const before = fieldsOf(project);
  const [fields, setFields] = useState<Fields>(before);
  const { busy, failure, run } = useAction();
  const set = (name: string) => (value: string | boolean) =>
    setFields((others) => ({ ...others, [name]: value }));
  const changed = Object.entries(fields).filter(([name, value]) => value !== before[name]);
  const save = () =>
    run(async () => {
      const update = Object.fromEntries(
        changed.map(([name, value]) => [name, toSent(name, value)]),
      );
      const request: RequestOf<'update'> = {
        action: 'update',
        project_id: project.project_id,
        ...update,
      };
      await operate(request);
      onSave();
    });
  const text = (name: string, label: string, about?: string) => (
    <TextInput
      key={name}
      label={label}
      {...(about !== undefined && { description: about })}
      value={String(fields[name])}
      onChange={({ currentTarget }) => set(name)(currentTarget.value)}
    />
  );
  const choice = (name: string, label: string, data: string[]) => (
    <Select
      label={label}
      value={String(fields[name])}
      onChange={(value) => set(name)(value ?? '')}
      data={data}
      allowDeselect={false}
    />
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack>
        <Section title="Project">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {text('name', 'Name')}
            {texts.map(([name, label, about]) => text(name, label, about))}
            {text('min_password_length', 'Characters of a password', 'Empty: at least 15.')}
            {choice('mail_language', 'Language of mails', ['en', 'de'])}
            {choice('token_algorithm', 'Signature of access tokens', ['RS256', 'ES256'])}
            {choice('workspace_creation', 'Who creates workspaces', [
              'backend',
              'verified',
              'anyone',
            ])}
            {choice('impersonation', 'Act as a user', ['off', 'on', 'notify'])}
          </SimpleGrid>
          <Stack gap="xs" mt="xs">
            {switches.map(([name, label]) => (
              <Switch
                key={name}
                label={label}
                checked={fields[name] === true}
                onChange={({ currentTarget }) => set(name)(currentTarget.checked)}
              />
            ))}
          </Stack>
          {objects.map(([name, label]) => (
            <JsonInput
              key={name}
              label={label}
              placeholder="{}"
              value={String(fields[name])}
              onChange={set(name)}
              validationError="This is not JSON."
              formatOnBlur
              autosize
              minRows={2}
            />
          ))}
        </Section>
        {failure !== undefined && <Failure failure={failure} />}
        <Group>
          <Button type="submit" disabled={changed.length === 0} loading={busy}>
            Save
          </Button>
          {changed.length > 0 && (
            <Button variant="default" onClick={() => setFields(before)} disabled={busy}>
              Discard
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function fieldsOf(project: ProjectSummary): Fields {
  const text = (name: keyof ProjectSummary) => {
    const value = project[name] as string | number | undefined;
    return value === undefined ? '' : String(value);
  };
  return {
    name: project.name,
    min_password_length: text('min_password_length'),
    mail_language: project.mail_language ?? 'en',
    token_algorithm: project.token_algorithm ?? 'RS256',
    workspace_creation: project.workspace_creation ?? 'backend',
    impersonation: project.impersonation ?? 'off',
    ...Object.fromEntries(texts.map(([name]) => [name, text(name)])),
    ...Object.fromEntries(
      switches.map(([name, , defaults]) => [
        name,
        (project[name] as boolean | undefined) ?? defaults,
      ]),
    ),
    ...Object.fromEntries(
      objects.map(([name]) => {
        const value = project[name];
        return [name, value === undefined ? '' : JSON.stringify(value, undefined, 2)];
      }),
    ),
  };
}

/** A field as the operator function takes it; an empty one unsets the setting. */
function toSent(name: string, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value;
  const given = value.trim();
  if (name === 'name') return given;
  if (given === '') return null;
  if (name === 'min_password_length') return Number(given);
  return objects.some(([each]) => each === name) ? JSON.parse(given) : given;
}
