import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { cookieName, cookiesSet, hostedProject, withCookie } from '../../support/hosted-pages.ts';
import { sessionIdOf, sessionKey } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const project = await hostedProject(world);
const { project_id } = project;
const visitor = () => world.user({ project });
const name = cookieName(project);
const removed = {
  [name]: { value: '', attributes: ['Path=/', 'Max-Age=0', 'HttpOnly', 'SameSite=Lax'] },
};

const end = (headers: Record<string, string>, at = project_id) =>
  world.as().browserSessions.end({ project_id: at }, { headers });

test('200 ends the session, removes the cookie and records an event', async () => {
  const person = await visitor();
  const other = await world.session(person.uid, project);
  const answer = await end(withCookie(project, person.refresh_token));
  expect([answer.status, answer.body]).toEqual([200, { ended_at: aTime() }]);
  expect(cookiesSet(answer)).toEqual(removed);
  expectProblem(await world.as(person).users.getMe(), 'unauthenticated');
  expect((await world.as(other).users.getMe()).status).toBe(200);
  await world.drainStream();
  expect(world.events()).toContainEqual(
    expect.objectContaining({
      type: 'session.ended',
      actor: { kind: 'user', id: person.uid },
      data: { user_id: person.uid, session_id: sessionIdOf(person) },
    }),
  );
});

test('200 removes a cookie whose session has ended or whose token was never valid', async () => {
  const person = await visitor();
  const headers = withCookie(project, person.refresh_token);
  await end(headers);
  for (const again of [
    headers,
    withCookie(project, 'x'),
    withCookie(project, `${person.refresh_token}x`),
  ]) {
    const answer = await end(again);
    expect(answer.status).toBe(200);
    expect(cookiesSet(answer)).toEqual(removed);
  }
});

test('200 ends neither a session of another project nor that of an OAuth client', async () => {
  const other = await hostedProject(world);
  const foreign = await world.user({ project: other });
  const ofClient = await visitor();
  await world.table.update(sessionKey(ofClient), { client_id: `${project_id}.app` });
  for (const person of [foreign, ofClient]) {
    const answer = await end(withCookie(project, person.refresh_token));
    expect(cookiesSet(answer)).toEqual(removed);
    expect((await world.as(person).users.getMe()).status).toBe(200);
  }
});

test('404 in a project without hosted pages', async () => {
  const person = await world.user();
  const headers = withCookie(world.project, person.refresh_token);
  expectProblem(await end(headers, world.project.project_id), 'not_found');
  expect((await world.as(person).users.getMe()).status).toBe(200);
});

test('a replayed response removes the cookie too', async () => {
  const { refresh_token } = await visitor();
  const headers = { ...withCookie(project, refresh_token), 'idempotency-key': randomUUID() };
  const first = await end(headers);
  const again = await end(headers);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect([again.body, cookiesSet(again)]).toEqual([first.body, removed]);
});
