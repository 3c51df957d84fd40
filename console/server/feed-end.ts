import type { RunSecrets } from '../../bin/transfer/run-secrets.ts';
import { inNameOf, unreachable } from './forward.ts';
import { Refusal } from './problem.ts';

/** How many of the newest events are before the end of the feed, or of an audit log, that the page starts at. */
const eventCount = 100;
/** No feed has as many events: what answers for a position behind it is no feed. */
const maxPosition = 2 ** 40;
/** Milliseconds for one look. */
const lookTimeout = 10_000;

type Options = {
  service: string;
  /** Of the feed, or of the audit log of a workspace. */
  path: string;
  secrets: RunSecrets;
  signal: AbortSignal;
};

/**
 * The position from which the feed has only its newest events. The service reads a feed from a position on and refuses
 * one behind the end: so the end is found by doubling and halving, in about forty requests at a million events.
 *
 * @param signal ends the search: nobody waits for it any longer
 */
export async function positionOfNewest(
  project_id: string,
  { service, path, secrets, signal }: Options,
): Promise<number> {
  const exists = async (position: number): Promise<boolean> => {
    const url = `${service}${path}?limit=1&after=${position}`;
    const look = async (authorization: string) => {
      try {
        const response = await fetch(url, {
          headers: { authorization },
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(lookTimeout)]),
        });
        return { status: response.status, body: await response.text() };
      } catch (error) {
        throw unreachable(url, 'events.list', error);
      }
    };
    const { status, body } = await inNameOf(project_id, { service, secrets }, look);
    if (status === 400) return false;
    if (status !== 200)
      throw new Refusal(502, 'temporarily_unavailable', `The feed answered ${status}.`);
    if (!isPage(body)) throw noFeed(service);
    return true;
  };
  let [before, behind] = [0, 1];
  while (await exists(behind)) {
    [before, behind] = [behind, behind * 2];
    if (behind > maxPosition) throw noFeed(service);
  }
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    if (await exists(middle)) before = middle;
    else behind = middle;
  }
  return Math.max(0, before - eventCount);
}

/** Whether it is a page of events: a proxy or another service answers 200 for whatever position. */
function isPage(body: string): boolean {
  try {
    const page = JSON.parse(body) as { result?: unknown; next_cursor?: unknown } | null;
    return Array.isArray(page?.result) && typeof page.next_cursor === 'string';
  } catch {
    return false;
  }
}

const noFeed = (service: string) =>
  new Refusal(502, 'internal_error', `${service} does not answer with pages of events.`);
