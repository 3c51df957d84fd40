import { Alert, Button, Text } from '@mantine/core';
import { ApiError } from '../../client/api-error.ts';

/** A failure in words: what is wrong with each field, and what to quote where the service was asked. */
function wordsOf(failure: unknown): string {
  if (!(failure instanceof ApiError))
    return failure instanceof TypeError
      ? 'The console does not answer. Is it still running in its terminal?'
      : failure instanceof Error
        ? failure.message
        : String(failure);
  const { problem, errors, requestId, status } = failure;
  if (status === 401) return 'Open the address that the terminal of the console shows.';
  // A dialog keeps the version that it was opened with.
  if (status === 412)
    return 'Somebody else has changed this meanwhile. Close this and open it again.';
  const { detail, title } = problem as { detail?: string; title?: string };
  const fields = errors.map(
    ({ pointer, detail: why }) => `${pointer.replace('/body/', '')}: ${why}`,
  );
  const message = fields.length > 0 ? fields.join(' ') : (detail ?? title ?? failure.code);
  return requestId === '' ? message : `${message} (request ${requestId})`;
}

type Props = { failure: unknown; onRetry?: (() => void) | undefined };

export const Failure = ({ failure, onRetry }: Props) => (
  <Alert color="red" variant="light" title="This did not work" role="alert">
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {wordsOf(failure)}
    </Text>
    {onRetry && (
      <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
        Try again
      </Button>
    )}
  </Alert>
);
