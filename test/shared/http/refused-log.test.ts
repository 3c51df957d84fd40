import { createSecretKey } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { makeRefreshToken } from '#shared/access/refresh-token.ts';
import { rates } from '#shared/model/rates.ts';
import { logged } from '../../support/log.ts';
import { signInProject } from '../../support/sign-in.ts';
import { sessionIdOf, sessionKey } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

/** What an operator who asks "who is refused, and why" finds in the log: docs/operate/runbook.md. */
const world = await startWorld();

const lastLine = async (work: () => Promise<unknown>) => (await logged(work)).lines.at(-1);

describe('the log line of a refused request names the project', () => {
  test('of a flooded public endpoint', async () => {
    const { post, project_id } = await signInProject(world);
    // The limit begins anew after ten seconds.
    vi.useFakeTimers({ toFake: ['Date'] });
    const line = await lastLine(async () => {
      for (let i = 0; i <= rates.networkDoor.max + 8; i += 1)
        await post('/sessions/mfa/totp', { mfa_token: 'x'.repeat(43) });
    });
    expect(line).toMatchObject({ status: 429, code: 'too_many_requests', project_id });
  });

  test('whose backend sends a secret that was revoked', async () => {
    const project = await world.newProject();
    await world.operate({ action: 'rotate-key', project_id: project.project_id, keep: 0 });
    const line = await lastLine(() => world.as(project.basic).webhooks.list({}));
    expect(line).toMatchObject({ status: 401, project_id: project.project_id });
  });

  test('whose sessions ended with the refresh secret, and that reason', async () => {
    const person = await world.user();
    const { uid, project } = person;
    const claims = { uid, session_id: sessionIdOf(person), counter: 0 };
    const refresh_token = makeRefreshToken(claims, createSecretKey(Buffer.alloc(32)));
    const line = await lastLine(() => world.renew({ ...person, refresh_token }));
    const reason = 'another refresh secret';
    expect(line).toMatchObject({ status: 401, reason, project_id: project.project_id });
  });

  test('whose table was restored to a time before the token, and that reason', async () => {
    const first = await world.user();
    const { body } = await world.renew(first);
    await world.table.update(sessionKey(first), { counter: 0 });
    const line = await lastLine(() => world.renew(body));
    const of = { project_id: first.project.project_id, uid: first.uid };
    expect(line).toMatchObject({ status: 401, reason: 'newer than the table', ...of });
  });

  test('of a session that is gone, and that reason', async () => {
    const person = await world.user();
    await world.call({ method: 'DELETE', path: '/sessions/current', auth: person.bearer });
    const line = await lastLine(() => world.renew(person));
    expect(line).toMatchObject({ status: 401, reason: 'no such session', uid: person.uid });
  });
});
