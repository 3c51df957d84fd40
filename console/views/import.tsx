import {
  Alert,
  Progress as Bar,
  Button,
  Checkbox,
  Code,
  FileInput,
  Group,
  Stack,
  Text,
} from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { clientOf } from '../ui/api.ts';
import { Explain } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { importUsers, type Progress } from '../ui/import-users.ts';
import { Page } from '../ui/page.tsx';
import { Link } from '../ui/route.tsx';
import { Rows } from '../ui/rows.tsx';
import { useAction } from '../ui/use-action.ts';
import type { ViewProps } from '../ui/view-props.ts';

const example = '{"email":"ada@example.com","email_verified":true,"external_id":"1815"}';

export function ImportView({ project }: ViewProps) {
  const [file, setFile] = useState<File | null>(null);
  const [dryRun, setDryRun] = useState(true);
  const [progress, setProgress] = useState<Progress>();
  const [outcome, setOutcome] = useState<'dry run' | 'import'>();
  const { busy, failure, run, clear } = useAction();
  const abort = useRef<AbortController>(undefined);
  // A view that is left sends nothing more.
  useEffect(() => () => abort.current?.abort(), []);

  const start = () => {
    if (!file) return;
    const controller = new AbortController();
    abort.current = controller;
    setOutcome(undefined);
    setProgress(undefined);
    void run(async () => {
      const { signal } = controller;
      try {
        const options = { dryRun, signal, onProgress: setProgress };
        await importUsers(clientOf(project), file, options);
        setOutcome(dryRun ? 'dry run' : 'import');
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });
  };

  return (
    <Page title="Import users" above={<Link href={`/projects/${project}/users`}>Users</Link>}>
      <Explain>
        A file of JSON lines, one user on each, as POST /users/import takes them: with password
        hashes, verified e-mails and ids of your own. Who is there already, by id or e-mail, is not
        changed, so you may start it again. For the exports of other services and for large files,
        use npm run users:import in a terminal, which converts them and goes on where it stopped.
      </Explain>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {example}
      </Code>
      <Stack gap="sm" maw={480}>
        <FileInput
          label="File"
          placeholder="Choose a file"
          accept=".jsonl,.ndjson,.json,.txt"
          value={file}
          onChange={(newFile) => {
            setFile(newFile);
            setProgress(undefined);
            setOutcome(undefined);
            clear();
          }}
          disabled={busy}
        />
        <Checkbox
          label="Dry run: create nobody, only say what would happen"
          checked={dryRun}
          onChange={({ currentTarget }) => setDryRun(currentTarget.checked)}
          disabled={busy}
        />
        <Group>
          <Button onClick={start} disabled={!file} loading={busy}>
            {dryRun ? 'Start the dry run' : 'Import'}
          </Button>
          {busy && (
            <Button variant="default" onClick={() => abort.current?.abort()}>
              Stop
            </Button>
          )}
        </Group>
      </Stack>
      {failure !== undefined && <Failure failure={failure} onRetry={start} />}
      {progress && <Counts progress={progress} />}
      {outcome !== undefined && (
        <Alert color="green" title={outcome === 'import' ? 'Imported' : 'The dry run is done'}>
          {outcome === 'import'
            ? 'The whole file is done. The list of users has them in a second.'
            : 'Nothing was changed. Take the dry run off and start again.'}
        </Alert>
      )}
      {progress && progress.refused.length > 0 && <RefusedLines progress={progress} />}
    </Page>
  );
}

function Counts({ progress }: { progress: Progress }) {
  const { size, done, created, exists, failed } = progress;
  const percent = size === 0 ? 100 : Math.floor((done / size) * 100);
  const text = `${percent} %: ${created} created, ${exists} there already, ${failed} refused`;
  return (
    <Stack gap={4} maw={480}>
      <Bar value={percent} aria-label="Progress of the import" />
      <Text size="sm" c="dimmed" role="status">
        {text}
      </Text>
    </Stack>
  );
}

const RefusedLines = ({ progress: { refused, failed } }: { progress: Progress }) => (
  <Stack gap="xs">
    <Text size="sm" fw={600}>
      Refused lines{failed > refused.length && `, the first ${refused.length} of ${failed}`}
    </Text>
    <Rows
      label="Refused lines"
      rows={refused.toSorted((a, b) => a.line - b.line)}
      keyOf={({ line }) => String(line)}
      columns={[
        { title: 'Line', cell: ({ line }) => line },
        { title: 'User', cell: ({ about }) => about },
        { title: 'Why', cell: ({ why }) => why },
      ]}
    />
  </Stack>
);
