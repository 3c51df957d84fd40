/** @module-tag proof */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { renderMail } from '#shared/mail/render.ts';
import { factorProject } from '../../support/factors.ts';
import { mailFeed, record } from '../../support/mail-feed.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { type Person, startWorld } from '../../support/world.ts';

/** The mail to members about a second factor, from the request with which a workspace begins to require one. */

const world = await startWorld();
const { feed, itemOf, mailsTo } = await mailFeed(world);
type Item = Record<string, unknown>;

/** A workspace whose owner has a second factor and whose member has none. */
async function team(settings: object = {}) {
  const ours = await factorProject(world, { passkeys: true, ...settings });
  const newPerson = (name: string) => ours.signUp(`${name}-${randomUUID()}@example.com`);
  const owner = await newPerson('owner');
  await ours.enrol(owner, { current_password: goodPassword });
  const ada = await newPerson('ada');
  const { workspace_id } = await world.workspace({ owner, name: 'Engines' });
  const backend = world.as(ours.project);
  await backend.members.add({ workspace_id, user_id: ada.uid, role: 'member' });
  await world.drainStream();
  const update = async (to: object) => {
    const { status, body } = await backend.workspaces.update({ workspace_id, ...to });
    expect(status).toBe(200);
    await world.drainStream();
    return body;
  };
  const ask = (more: object = {}) => update({ require_mfa: true, ...more });
  return { ours, owner, ada, workspace_id, backend, update, ask };
}

/** The mails about a second factor to one address. */
const noticesTo = ({ email }: Pick<Person, 'email'>) =>
  mailsTo(email).filter(({ subject }) => subject.includes('Engines'));

describe('is sent', () => {
  test('to members without a factor, with the requirement, its day and a link to add one', async () => {
    const { ours, owner, ada, ask } = await team({ hosted_pages: true, mail_sender_name: 'Acme' });
    const { mfa_required_at = '' } = await ask({ mfa_grace_days: 14 });
    const [mail, ...more] = noticesTo(ada);
    const link = `${world.url}/pages/${ours.project_id}/account`;
    const letter = await renderMail(
      {
        template: 'second_factor_required',
        product: 'Acme',
        workspace: 'Engines',
        from: new Date(mfa_required_at),
        link,
      },
      'en',
    );
    expect(mail).toMatchObject({ to: ada.email, ...letter });
    expect(mail?.text).toContain(`${link}\n`);
    expect(more).toEqual([]);
    expect(noticesTo(owner)).toEqual([]);
  });

  test('without a link if the service has no pages, in the language of the project', async () => {
    const { ada, ask } = await team({ mail_language: 'de' });
    await ask();
    const [mail] = noticesTo(ada);
    expect(mail?.subject).toBe('Ein zweiter Faktor für „Engines“ bei Test');
    expect(mail?.text).not.toMatch(/https?:/);
  });

  test('again for an earlier day, even on the same day, but not for a later one', async () => {
    const { ada, ask } = await team();
    await ask({ mfa_grace_days: 30 });
    await ask({ mfa_grace_days: 60 });
    expect(noticesTo(ada)).toHaveLength(1);
    await ask({ mfa_grace_days: 7 });
    const { mfa_required_at = '' } = await ask({ mfa_grace_days: 2 });
    expect(noticesTo(ada)).toHaveLength(3);
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    expect(noticesTo(ada)[0]?.text).toContain(day.format(new Date(mfa_required_at)));
  });

  test('to no member of a workspace that is created or restored with the requirement', async () => {
    const { ours, ada, ask, backend, workspace_id } = await team();
    const given = { name: 'Engines', owner_id: ada.uid, require_mfa: true };
    expect((await backend.workspaces.create(given)).status).toBe(201);
    await world.drainStream();
    expect(noticesTo(ada)).toEqual([]);
    await ask();
    const late = await ours.signUp(`late-${randomUUID()}@example.com`);
    await backend.members.add({ workspace_id, user_id: late.uid, role: 'member' });
    await backend.workspaces.delete({ workspace_id });
    await world.drainStream();
    await backend.workspaces.restore({ workspace_id });
    await world.drainStream();
    expect(noticesTo(late)).toEqual([]);
    expect(noticesTo(ada)).toHaveLength(1);
  });
});

describe('a check just before it is sent:', () => {
  type Team = Awaited<ReturnType<typeof team>>;
  const setUser = ({ ada }: Team, to: Item) => world.table.update(keys.user(ada.uid), to);

  test.each<[string, (at: Team) => Promise<unknown>, outcome?: string]>([
    ['it is sent to a user who still has no factor', async () => {}, 'sent'],
    [
      'it is dropped for a user who has added an app',
      ({ ours, ada }) => ours.enrol(ada, { current_password: goodPassword }),
    ],
    ['it is dropped for a user who has added a passkey', (at) => setUser(at, { passkey_count: 1 })],
    [
      'it is dropped for a user with an unverified e-mail',
      (at) => setUser(at, { verified: { email: false } }),
    ],
    ['it is dropped for a disabled user', (at) => setUser(at, { disabled: true })],
    [
      'it is dropped for a user with another e-mail',
      (at) => setUser(at, { email: 'other@example.com' }),
    ],
    [
      'it is dropped for a user who has left',
      ({ ada, workspace_id }) =>
        world.as(ada.bearer).members.remove({ workspace_id, user_id: ada.uid }),
    ],
    [
      'it is dropped for a suspended member',
      ({ backend, ada, workspace_id }) =>
        backend.members.suspend({ workspace_id, user_id: ada.uid, suspended: true }),
    ],
    [
      'it is dropped for a deleted user',
      ({ backend, ada }) => backend.users.delete({ uid: ada.uid }),
    ],
    [
      'it is dropped if the workspace no longer requires a factor',
      ({ backend, workspace_id }) =>
        backend.workspaces.update({ workspace_id, require_mfa: false }),
    ],
    [
      'it is dropped if the workspace is deleted',
      ({ backend, workspace_id }) => backend.workspaces.delete({ workspace_id }),
    ],
  ])('%s', async (_, act, outcome = 'unneeded') => {
    const at = await team();
    await at.ask();
    expect(noticesTo(at.ada)).toHaveLength(1);
    const sent = (await world.table.all()).find(
      ({ sk, to, kind }) =>
        sk === 'MAIL' && to === at.ada.email && kind === 'second_factor_required',
    );
    // A second mail, as if stored and not sent yet.
    const { claimed_at, outcome: __, message_id, ...written } = sent ?? {};
    expect([claimed_at, message_id]).toEqual([expect.any(String), expect.any(String)]);
    const mail_id = randomUUID();
    const item = { ...written, ...keys.mail(mail_id), mail_id };
    await world.table.put(item);
    await act(at);
    expect(await feed([record(item, 1)])).toEqual([]);
    expect(await itemOf(mail_id)).toMatchObject({ outcome });
    expect(noticesTo(at.ada)).toHaveLength(outcome === 'sent' ? 2 : 1);
  });
});
