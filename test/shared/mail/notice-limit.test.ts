import { expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { rates } from '#shared/model/rates.ts';
import { goodPassword, type SignIn, signInProject } from '../../support/sign-in.ts';
import { type Person, startWorld } from '../../support/world.ts';

/** How many notices a user can have sent, who makes any number of changes. */

const world = await startWorld();
const { max, seconds } = rates.noticesToOne;

const outcomesOf = async ({ project_id }: SignIn, kind: string) => {
  await world.drainStream();
  const mails = await world.table.having('kind', kind);
  return mails
    .filter((mail) => mail['project_id'] === project_id)
    .map(({ outcome }) => String(outcome))
    .toSorted((a, b) => a.localeCompare(b));
};

/** Changes the password so often, back and forth. */
async function changePassword(person: Person, times: number) {
  const passwords = [goodPassword, `another ${goodPassword}`];
  for (let i = 0; i < times; i += 1) {
    const [current_password, new_password] = i % 2 === 0 ? passwords : passwords.toReversed();
    const { status } = await world.as(person).passwords.change({ current_password, new_password });
    expect(status).toBe(200);
  }
}

test('a user gets ten notices of a kind a day, each other kind as well, and all again the next day', async () => {
  const ours = await signInProject(world);
  const ada = await ours.signUp('ada@notices.example.com');
  const bob = await ours.signUp('bob@notices.example.com');
  await changePassword(ada, max + 4);
  const sent = (times: number) => Array.from({ length: times }, () => 'sent');
  const limited = ['limited', 'limited', 'limited', 'limited'];
  expect(await outcomesOf(ours, 'password_changed')).toEqual([...limited, ...sent(max)]);
  expect(world.mails().filter(({ to }) => to === ada.email)).toHaveLength(1 + max);

  await changePassword(bob, 2);
  expect(await outcomesOf(ours, 'password_changed')).toEqual([...limited, ...sent(max + 2)]);
  const email = 'ada.new@notices.example.com';
  await world.as(ada).emails.change({ email, current_password: goodPassword });
  await world.as(ada).emails.confirm({ token: await ours.mailed(email) });
  expect(await outcomesOf(ours, 'email_changed')).toEqual(sent(1));
  // Another address, such as `ada+1@`, is no other user.
  await changePassword({ ...ada, bearer: (await ours.signIn(email)).bearer }, 2);
  limited.push('limited', 'limited');
  expect(await outcomesOf(ours, 'password_changed')).toEqual([...limited, ...sent(max + 2)]);

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
  const { bearer } = await ours.signIn(bob.email);
  await changePassword({ ...bob, bearer }, 2);
  expect(await outcomesOf(ours, 'password_changed')).toEqual([...limited, ...sent(max + 4)]);
});

test('a notice that the mail service does not take yet is counted once', async () => {
  const ours = await signInProject(world);
  const ada = await ours.signUp('busy@notices.example.com');
  world.outbox.failNext({ status: 429, code: 'TooManyRequestsException' }, 3);
  await changePassword(ada, 2);
  expect(await outcomesOf(ours, 'password_changed')).toEqual(['sent', 'sent']);
  const window = Math.floor(Date.now() / 1_000 / seconds);
  const subject = `${ours.project_id} ${ada.uid} password_changed`;
  const counted = await world.table.get(keys.rate('noticesToOne', subject, window));
  expect(counted?.['count']).toBe(2);
});
