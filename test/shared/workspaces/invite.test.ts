/** @module-tag engine */
import { beforeEach, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { type Rate, rates } from '#shared/model/rates.ts';
import { expectProblem } from '../../support/expectations.ts';
import { invitationCalls } from '../../support/invitations.ts';
import { atWindow } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const { invite, countsOf } = invitationCalls(world);
const day = 86_400;
const guest = (name: string, more: object = {}) => ({
  ...{ email: `${name}@example.net`, role: 'member' },
  ...more,
});
const unmailed = { send_mail: false };

beforeEach(() => atWindow(day, 3_600));
const keyOf = (rate: Rate, subject: string) =>
  keys.rate(rate, subject, Math.floor(Date.now() / 1_000 / day));
/** Sets how many more of today are allowed. */
const leave = (rate: Rate, subject: string, more: number) =>
  world.table.put({ ...keyOf(rate, subject), count: rates[rate].max - more });
const countOf = async (rate: Rate, subject: string) =>
  (await world.table.get(keyOf(rate, subject)))?.['count'];

test('users may invite one e-mail without a mail only so often a day, together; mailed ones count separately', async () => {
  const places = await Promise.all([1, 2, 3].map(() => world.workspace()));
  const [one = '', two = '', three = ''] = places.map(({ workspace_id }) => workspace_id);
  const [{ bearer }, other] = [places[0]!.owner, places[1]!.owner];
  const subject = `${project.project_id} often@example.net`;
  await leave('unmailedInvitationsToOne', subject, 1);
  const often = guest('often', unmailed);
  expect((await invite(one, often, bearer)).status).toBe(201);
  const refused = await invite(two, often, other.bearer);
  expectProblem(refused, 'too_many_requests');
  expect(refused.headers.get('retry-after')).toBe(String(day - 3_600));
  const { body } = await invite(two, { invitations: [guest('often')], ...unmailed }, other.bearer);
  expect(body).toMatchObject({ results: [{ outcome: 'too_many_requests' }] });
  expect((await invite(two, guest('often'), other.bearer)).status).toBe(201);
  expect((await invite(three, often)).status).toBe(201);
});

test('a refused invitation is not counted', async () => {
  const { workspace_id, owner } = await world.workspace();
  const subject = `${project.project_id} none@example.net`;
  await world.table.update(keys.workspace(workspace_id), { pending_member_count: 1_000 });
  const answer = await invite(workspace_id, guest('none', unmailed), owner.bearer);
  expectProblem(answer, 'invitation_limit_reached');
  expect(await countOf('unmailedInvitationsToOne', subject)).toBe(0);
  expect(await countOf('invitationsByOne', owner.uid)).toBeUndefined();
});

async function nearlyEnough(more: number): Promise<Person & { places: string[] }> {
  const owner = await world.user();
  const places = await Promise.all([1, 2].map(() => world.workspace({ owner })));
  await leave('invitationsByOne', owner.uid, more);
  return { ...owner, places: places.map(({ workspace_id }) => workspace_id) };
}

test('one user can invite an exact number a day into all workspaces, the backend any number', async () => {
  const { uid, bearer, places } = await nearlyEnough(3);
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map((i) => invite(places[i % 2]!, guest(`exact${i}`), bearer)),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    201, 201, 201, 429, 429,
  ]);
  for (const answer of answers.filter(({ status }) => status === 429)) {
    expectProblem(answer, 'too_many_requests', { detail: rates.invitationsByOne.detail });
    expect(answer.headers.get('retry-after')).toBe(String(day - 3_600));
  }
  expect(await countOf('invitationsByOne', uid)).toBe(rates.invitationsByOne.max);
  expect((await invite(places[0]!, guest('more'))).status).toBe(201);
});

test("rows are invited up to the user's limit, chunk by chunk; the others are unprocessed", async () => {
  const { uid, bearer, places } = await nearlyEnough(20);
  const invitations = Array.from({ length: 21 }, (_, i) => guest(`row${i}`));
  type Bulk = { results: { outcome: string }[] };
  const { status, body } = await invite<Bulk>(places[0]!, { invitations, ...unmailed }, bearer);
  expect(status).toBe(200);
  expect(body.results.map(({ outcome }) => outcome)).toEqual(
    invitations.map((_, i) => (i < 20 ? 'invited' : 'unprocessed')),
  );
  expect(await countOf('invitationsByOne', uid)).toBe(rates.invitationsByOne.max);
  expect(await countsOf(places[0]!)).toEqual({ members: 1, invitations: 20 });
});

test('a user who is invited because they cannot be added counts as an invitation', async () => {
  const { uid, bearer, places } = await nearlyEnough(1);
  const add = async () => {
    const { uid: user_id } = await world.user();
    return world.as(bearer).members.add({ workspace_id: places[0], user_id, role: 'member' });
  };
  expect((await add()).status).toBe(201);
  expectProblem(await add(), 'too_many_requests');
  expect(await countOf('additionsByOne', uid)).toBeUndefined();
});
