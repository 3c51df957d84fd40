import { ApiError } from '../../client/api-error.ts';

/**
 * Waits for a change of a version that was read. If somebody else has changed it meanwhile, reloads the view, so that
 * the next dialog has the version that there is, and throws what the service said.
 */
export async function reloadIfStale(change: Promise<unknown>, reload: () => void): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (error instanceof ApiError && error.status === 412) reload();
    throw error;
  }
}
