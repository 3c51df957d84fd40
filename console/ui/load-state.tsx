import { Skeleton, Stack } from '@mantine/core';
import { Failure } from './failure.tsx';
import { type Loaded, useLoad } from './use-load.ts';

export const Loading = ({ label }: { label: string }) => (
  <Stack gap="xs" aria-busy="true" role="status" aria-label={`Loading ${label}`}>
    {['a', 'b', 'c', 'd', 'e'].map((each) => (
      <Skeleton key={each} height={28} />
    ))}
  </Stack>
);

type Props = { of: Pick<Loaded<unknown>, 'data' | 'failure' | 'reload'>; label: string };

/** That something is being loaded, or why it could not be; nothing once it is there. */
export function LoadState({ of: { data, failure, reload }, label }: Props) {
  if (failure !== undefined) return <Failure failure={failure} onRetry={reload} />;
  return data === undefined && <Loading label={label} />;
}

type ReadingProps = { id: string; label: string; read: (signal: AbortSignal) => Promise<void> };

/** Reads what a dialog is about once that opens. `read` hands on what there is, which then takes the place of this. */
export const Reading = ({ id, label, read }: ReadingProps) => (
  <LoadState of={useLoad(id, read)} label={label} />
);
