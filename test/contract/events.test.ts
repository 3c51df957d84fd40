import { beforeAll, expect, test } from 'vitest';
import { eventOf, event as eventSchema } from '#shared/contract/events.ts';
import { type Event, eventFields, eventTypes } from '#shared/model/events.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
const { basic } = world.project;
let events: Event[] = [];

// Somebody does everything that can be done by a request and tells of it.
beforeAll(async () => {
  const project = (method: string, path: string, body?: unknown) => by(basic, method, path, body);
  const ada = await world.user({ verified: true });
  const bob = await world.user({ verified: true });
  await project('PUT', `/users/${bob.uid}`, {
    display_name: 'Bob',
    email: 'bob@example.org',
    email_verified: true,
  });
  await project('PUT', `/users/${bob.uid}`, { disabled: true });
  await project('PUT', `/users/${bob.uid}`, { disabled: false });
  await by((await world.session(bob.uid)).bearer, 'DELETE', '/sessions/current');
  await world.session(bob.uid);
  await project('DELETE', `/sessions?user_id=${bob.uid}`);

  const workspace = await world.workspace({ owner: ada });
  const path = `/workspaces/${workspace.workspace_id}`;
  await by(ada.bearer, 'PUT', path, {
    name: 'New',
    description: 'x',
    logo: 'https://example.com/a.png',
  });
  await project('PUT', `${path}/allowed_domains`, { allowed_domains: ['example.com'] });
  await project('PUT', `${path}/allowed_domains/example.com`, { mode: 'suggest' });
  const member = await world.member(workspace, 'member');
  const ofMember = `${path}/users/${member.uid}`;
  await by(ada.bearer, 'PUT', `${ofMember}/role`, { role: 'admin' });
  await project('PUT', `${ofMember}/suspension`, { suspended: true });
  await project('PUT', `${ofMember}/suspension`, { suspended: false });
  await by(ada.bearer, 'POST', `${path}/ownership`, { user_id: member.uid });
  await by(ada.bearer, 'DELETE', `${path}/ownership`);
  await project('POST', `${path}/ownership`, { user_id: member.uid });
  await project('POST', `${path}/ownership`, { user_id: ada.uid });
  await by(member.bearer, 'DELETE', ofMember);
  const removed = await world.member(workspace);
  await project('DELETE', `${path}/users/${removed.uid}`);

  for (const end of ['manager', 'self'] as const) {
    const invited = await world.invited(workspace);
    const ofInvited = `${path}/invitations/${invited.uid}`;
    await project('POST', `${ofInvited}/resend`, {});
    await by(end === 'self' ? invited.bearer : ada.bearer, 'DELETE', ofInvited);
  }
  const joining = await world.invited(workspace, 'member', await world.user({ verified: true }));
  await by(joining.bearer, 'POST', '/workspaces/join', {
    workspace_id: workspace.workspace_id,
    user_id: joining.uid,
  });
  const { link_id } = await project('POST', `${path}/join_links`, {});
  await project('DELETE', `${path}/join_links/${link_id}`);
  for (const end of ['manager', 'self'] as const) {
    const asking = await world.user({ verified: true });
    await by(asking.bearer, 'POST', `${path}/join_requests`, {});
    const as = end === 'self' ? asking.bearer : ada.bearer;
    await by(as, 'DELETE', `${path}/join_requests/${asking.uid}`);
  }
  await by(ada.bearer, 'DELETE', path);
  await by(ada.bearer, 'POST', `${path}/restore`);
  await project('DELETE', `/users/${removed.uid}`);
  await world.drainStream();
  events = world.events();
});

async function by(auth: string, method: string, path: string, body?: unknown) {
  const answer = await world.call(method, path, auth, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** What takes a mailbox, a provider, a name server, a used token or 30 days; their own tests tell of them. */
const elsewhere = [
  'user.password_changed',
  'user.identity_linked',
  'user.identity_unlinked',
  'session.reuse_detected',
  'email.bounced',
  'email.complained',
  'workspace.domain_proven',
  'workspace.invitation.expired',
];

test('every type of event came, but for those that take more than a request', () => {
  const came = new Set<string>(events.map(({ type }) => type));
  const missing = Object.keys(eventTypes).filter((type) => !came.has(type));
  expect(missing).toEqual(elsewhere);
});

test.each(Object.keys(eventTypes) as (keyof typeof eventTypes)[])(
  '%s tells what the contract names, and nothing else',
  (type) => {
    const named: readonly string[] = eventFields[type];
    for (const event of events.filter((each) => each.type === type)) {
      // Nothing is left out of an answer: the hash of a log is over all of it.
      expect(eventSchema.parse(event)).toEqual(event);
      eventOf(type).parse(event);
      const told = [...Object.keys(event.data), ...Object.keys(event.previous ?? {})];
      expect(told.filter((name) => !named.includes(name))).toEqual([]);
      expect(event.workspace_id !== undefined).toBe(type.startsWith('workspace.'));
    }
  },
);

test('whoever acted is named: the back end by its key, a person by uid', () => {
  const actorsOf = (type: string) =>
    events.filter((event) => event.type === type).map(({ actor }) => actor.kind);
  expect(actorsOf('workspace.updated')).toEqual(['user']);
  expect(actorsOf('workspace.member.removed')).toContain('key');
  expect(actorsOf('workspace.invitation.declined')).toEqual(['user']);
});
