import type { Access } from './access.ts';
import { authorize, unreachable } from './forward.ts';
import { Refusal } from './problem.ts';

/** How many of the newest events are before the end of the feed that the page starts at. */
const shown = 100;

/**
 * The position from which the feed has only its newest events. The service reads a feed from a position on and refuses
 * one behind the end: so the end is found by doubling and halving, in about forty requests at a million events.
 */
export async function positionOfNewest(
  project_id: string,
  { service, access }: { service: string; access: Access },
): Promise<number> {
  const authorization = await authorize(access, project_id);
  const exists = async (position: number): Promise<boolean> => {
    const url = `${service}/events?limit=1&after=${position}`;
    const response = await fetch(url, { headers: { authorization } }).catch((error: unknown) => {
      throw unreachable(url, 'events.list', error);
    });
    await response.body?.cancel();
    if (response.status === 200) return true;
    if (response.status === 400) return false;
    throw new Refusal(502, 'temporarily_unavailable', `The feed answered ${response.status}.`);
  };
  let [before, behind] = [0, 1];
  while (await exists(behind)) [before, behind] = [behind, behind * 2];
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    if (await exists(middle)) before = middle;
    else behind = middle;
  }
  return Math.max(0, before - shown);
}
