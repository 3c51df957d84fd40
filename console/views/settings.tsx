import { Stack } from '@mantine/core';
import { readProject } from '../ui/api.ts';
import { Failure } from '../ui/failure.tsx';
import { Loading } from '../ui/list.tsx';
import { Page, Section } from '../ui/page.tsx';
import { useLoad } from '../ui/use-load.ts';
import type { ViewProps } from '../ui/view-props.ts';
import { Clients } from './clients.tsx';
import { Secrets } from './secrets.tsx';
import { SettingsForm } from './settings-form.tsx';

export function SettingsView({ project }: ViewProps) {
  const { data, failure, reload } = useLoad(`settings ${project}`, (signal) =>
    readProject(project, signal),
  );
  return (
    <Page title="Settings">
      {failure !== undefined && <Failure failure={failure} onRetry={reload} />}
      {!data && failure === undefined && <Loading label="settings" />}
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
