import { Stack } from '@mantine/core';
import { readProject } from '../ui/api.ts';
import { LoadState } from '../ui/load-state.tsx';
import { Page, Section } from '../ui/page.tsx';
import { useLoad } from '../ui/use-load.ts';
import type { ViewProps } from '../ui/view-props.ts';
import { Clients } from './clients.tsx';
import { Secrets } from './secrets.tsx';
import { SettingsForm } from './settings-form.tsx';

export function SettingsView({ project }: ViewProps) {
  const settings = useLoad(`settings ${project}`, (signal) => readProject(project, signal));
  const { data, reload } = settings;
  return (
    <Page title="Settings">
      <LoadState of={settings} label="settings" />
      {data && (
        <Stack gap="xl">
          <SettingsForm project={data} onSave={reload} />
          <Secrets project={project} />
          <Section title="Applications">
            <Clients project={data} />
          </Section>
        </Stack>
      )}
    </Page>
  );
}
