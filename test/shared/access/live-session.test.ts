import { describe, expect, test } from 'vitest';
import type { SessionItem } from '#shared/access/live-session.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

await openFaultyTable();
const { isLiveSession, requireLiveSession } = await import('#shared/access/live-session.ts');

describe('a session', () => {
  const end = 1_800_000_000;
  const session = { idle_expires_at: end, expires_at: end } as SessionItem;
  const at = (seconds: number) => new Date(seconds * 1_000);

  test('is live until the second in which it expires, by idle time or absolutely', () => {
    expect(isLiveSession(session, at(end - 1))).toBe(true);
    expect(isLiveSession({ ...session, expires_at: end + 9 }, at(end))).toBe(false);
    expect(isLiveSession({ ...session, idle_expires_at: end + 9 }, at(end))).toBe(false);
  });

  test('that does not exist is reported as ended', async () => {
    const of = { project_id: 'p', uid: 'nobody', session_id: 'none' };
    await expect(request(() => requireLiveSession(of, at(end)))).rejects.toMatchObject({
      code: 'unauthenticated',
      detail: 'The session has ended',
    });
  });
});
