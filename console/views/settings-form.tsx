import {
  Button,
  Group,
  JsonInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { RequestOf } from '../../shared/operator/request.ts';
import type { ProjectSummary } from '../../shared/operator/summary.ts';
import { operate } from '../ui/api.ts';
import { Failure } from '../ui/failure.tsx';
import { Section } from '../ui/page.tsx';
import { useAction } from '../ui/use-action.ts';
import {
  changedIn,
  choices,
  type Fields,
  fieldsOf,
  numbers,
  objects,
  switches,
  texts,
  toSent,
} from './settings-fields.ts';

type Props = { project: ProjectSummary; onSave: () => void };

/** The settings of a project. Only what was changed is sent, so that nothing of somebody else is undone. */
export function SettingsForm({ project, onSave }: Props) {
  const before = fieldsOf(project);
  const [fields, setFields] = useState<Fields>(before);
  const { busy, failure, run, clear } = useAction();
  const [isSaved, setSaved] = useState(false);
  const status = useRef<HTMLParagraphElement>(null);
  /** What was saved last; what differs from it was typed since. */
  const saved = useRef(before);
  const set = (name: string) => (value: string | boolean) => {
    setSaved(false);
    setFields((others) => ({ ...others, [name]: value }));
  };
  const changed = Object.entries(changedIn(fields, before));
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
      saved.current = fields;
      setSaved(true);
      onSave();
    });
  // What was saved comes back as the service has it.
  useEffect(
    () => setFields((current) => ({ ...before, ...changedIn(current, saved.current) })),
    [project.modified_at],
  );
  const saysSaved = isSaved && changed.length === 0;
  // The button is of no more use then.
  useEffect(() => {
    if (saysSaved) status.current?.focus({ preventScroll: true });
  }, [saysSaved]);
  const discard = () => {
    setFields(before);
    clear();
  };
  const text = (name: string, label: string, about?: string) => (
    <TextInput
      key={name}
      label={label}
      {...(about !== undefined && { description: about })}
      value={String(fields[name])}
      onChange={({ currentTarget }) => set(name)(currentTarget.value)}
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
            {numbers.map(([name, label, about]) => text(name, label, about))}
            {choices.map(([name, label, values]) => (
              <Select
                key={name}
                label={label}
                value={String(fields[name])}
                onChange={(value) => set(name)(value ?? '')}
                data={values}
                allowDeselect={false}
              />
            ))}
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
          {objects.map(([name, label, example]) => (
            <JsonInput
              key={name}
              label={label}
              placeholder={example}
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
            <Button variant="default" onClick={discard} disabled={busy}>
              Discard
            </Button>
          )}
          <Text ref={status} role="status" tabIndex={-1} size="sm">
            {saysSaved && 'Saved.'}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
