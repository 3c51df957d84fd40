import { deepEqual, equal, ok } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { npm } from '../cdk.ts';
import { eventually } from '../checks.ts';
import { bringForward, scheduledAt } from '../schedules.ts';
import { newPerson, type World } from '../world.ts';
import type { Team } from './workspaces.ts';

/** The table's stream and its consumers: feed, audit log, and webhooks with retries. */
export async function events(world: World, team: Team, folder: string): Promise<void> {
  const { checks, backend } = world;
  await checks.check('the feed has every event of the workspace, in order', async () => {
    const types = await eventually('event of the removal', async () => {
      const all = await readFeed(world);
      const own = all.filter((event) => event.workspace_id === team.workspace_id);
      const seen = own.map(({ type }) => type);
      return seen.includes('workspace.member.removed') ? seen : undefined;
    });
    const ofWorkspace = types.filter((type) => type !== 'workspace.metadata_changed');
    deepEqual(ofWorkspace.slice(0, 4), [
      ...['workspace.created', 'workspace.updated', 'workspace.deleted', 'workspace.restored'],
    ]);
  });
  await checks.check('the audit log is a chain that audit:verify verifies', async () => {
    const { body } = await team.owner.client.events.listOfWorkspace({
      ...{ workspace_id: team.workspace_id, limit: 100 },
    });
    const file = join(folder, 'audit.json');
    await writeFile(file, JSON.stringify(body));
    ok(
      (await npm('audit:verify', file)).startsWith(
        `${body.count} entries, 1 to ${body.count}, are intact.`,
      ),
    );
    equal(body.result[0]?.event.type, 'workspace.created');
  });
  await checks.check('a new display name reaches the copies in lists of members', async () => {
    const { workspace_id, owner } = team;
    await owner.client.users.update({ uid: owner.uid, display_name: 'Renamed Owner' });
    await eventually('renamed member', async () => {
      const { body } = await backend.members.list({
        ...{ workspace_id, status: 'accepted' },
        query: 'Renamed',
      });
      return body.total === 1 ? true : undefined;
    });
  });
  await checks.check('the statistics of the project count the events of the day', async () => {
    const today = await eventually('workspace in the totals', async () => {
      const { totals, days } = (await backend.stats.get({ days: 1 })).body;
      return totals?.workspaces ? days.at(-1) : undefined;
    });
    ok(today && today.new_users > 0 && today.active_users > 0, JSON.stringify(today));
    ok(today.sign_ins['idpw'] && today.invitations_accepted, JSON.stringify(today));
  });
}

async function readFeed({ backend }: World) {
  const all = [];
  for (let after = '0'; ; ) {
    const { body } = await backend.events.list({ after, limit: 100 });
    all.push(...body.result);
    if (!body.more) return all;
    after = body.next_cursor;
  }
}

/** Deliveries to a customer's receiver, over TLS, retried until accepted. */
export async function webhooks(world: World): Promise<void> {
  const { checks, backend, receiver } = world;
  const failing = receiver.at('/failing', 500, 500);
  const webhook = await checks.check('a webhook is created, read, changed and listed', async () => {
    const { body } = await backend.webhooks.create({
      url: failing.url,
      event_types: ['user.created'],
    });
    const { webhook_id } = body;
    await backend.webhooks.update({ webhook_id, description: 'Of the journeys' });
    equal((await backend.webhooks.get({ webhook_id })).body.description, 'Of the journeys');
    equal((await backend.webhooks.list({})).body.total, 1);
    return body;
  });
  const { webhook_id, secret } = webhook;
  const person = await checks.check(
    'an event is sent with a signature, and retried 5 s after a failure',
    async () => {
      const made = await newPerson(world, 'announced@example.com');
      await eventually('second attempt', () => (failing.received.length >= 2 ? true : undefined));
      for (const { body, headers } of failing.received) {
        const event = new Webhook(secret).verify(body, headers) as { data: { user_id: string } };
        equal(event.data.user_id, made.uid);
      }
      return made;
    },
  );
  await checks.check('the third attempt is scheduled in five minutes, and arrives', async () => {
    const { name, at } = await eventually('schedule', () => scheduledAt());
    const wait = (at - Date.now()) / 1_000;
    ok(wait > 240 && wait < 330, `in ${wait} s`);
    await bringForward(name);
    await eventually('third attempt', () => (failing.received.length === 3 ? true : undefined));
    const { body } = await eventually('attempt with a success', async () => {
      const page = await backend.webhooks.listAttempts({ webhook_id });
      return page.body.result[0]?.status_code === 204 ? page : undefined;
    });
    deepEqual(
      body.result.map(({ attempt, status_code }) => [attempt, status_code]),
      [
        ...[
          [3, 204],
          [2, 500],
          [1, 500],
        ],
      ],
    );
  });
  await checks.check(
    'an event is redelivered with both signatures after a rotation, until the webhook is deleted',
    async () => {
      const rotated = await backend.webhooks.rotateSecret({ webhook_id });
      const sent = await backend.webhooks.listAttempts({ webhook_id });
      await backend.webhooks.redeliver({
        webhook_id,
        event_id: sent.body.result[0]?.event_id ?? '',
      });
      const { name } = await eventually('schedule', () => scheduledAt());
      await bringForward(name);
      await eventually('redelivery', () => (failing.received.length === 4 ? true : undefined));
      const { body = '', headers = {} } = failing.received[3] ?? {};
      for (const each of [secret, rotated.body.secret]) new Webhook(each).verify(body, headers);
      equal((JSON.parse(body) as { data: { user_id: string } }).data.user_id, person.uid);
      await backend.webhooks.delete({ webhook_id });
    },
  );
}
