import { keys } from '../../shared/db/keys.ts';
import type { Account } from '../../shared/identity/passwords/password-attempts.ts';
import { lifetimes, limits } from '../../shared/model/limits.ts';
import { type Rate, rates } from '../../shared/model/rates.ts';
import type { World } from './world.ts';

/** The client address of every test. */
const address = '127.0.0.1';

/** A count so far below every limit that a test never reaches one; capacity units stay the same. */
const lifted = -1_000_000;

/** The current window and the next one, which a test may run into, and the expiry of their counters. */
function windowsOf(rate: Rate): { windows: readonly number[]; expires_at: number } {
  const { seconds } = rates[rate];
  const window = Math.floor(Date.now() / 1_000 / seconds);
  return { windows: [window, window + 1], expires_at: (window + 3) * seconds };
}

async function setCount({ table }: World, rate: Rate, subject: string, count: number) {
  const { windows, expires_at } = windowsOf(rate);
  for (const each of windows)
    await table.put({ ...keys.rate(rate, subject, each), count, expires_at });
}

/** Lifts the limits on password attempts for an account. */
export async function liftTries({ table }: World, account: Account): Promise<void> {
  const { windows, expires_at } = windowsOf('passwordFailures');
  const counts = Object.fromEntries(windows.map((each) => [`w${each}`, lifted]));
  await table.put({ ...keys.passwordTries(account), total: lifted, ...counts, expires_at });
}

/** Sets the number of consecutive wrong passwords of an account: by default, one fewer than disables the password. */
export async function guessedAt(
  { table }: Pick<World, 'table'>,
  account: Account,
  total: number = limits.wrongPasswordsInARow - 1,
): Promise<void> {
  const expires_at = Math.floor(Date.now() / 1_000) + lifetimes.wrongPasswords;
  await table.put({ ...keys.passwordTries(account), total, expires_at });
}

/** Sets the number of failures and of requested mails of the client address in a project. */
export async function setSource(world: World, project_id: string, count: number): Promise<void> {
  const subject = `${project_id} ${address}`;
  await Promise.all([
    setCount(world, 'failuresFromOne', subject, count),
    setCount(world, 'mailsFromOne', subject, count),
  ]);
}

/** Lifts the limits of the client address in a project. */
export const liftSource = (world: World, project_id: string): Promise<void> =>
  setSource(world, project_id, lifted);

/** Lifts the limits on mails to one e-mail. */
export async function liftMailbox(world: World, project_id: string, email: string): Promise<void> {
  const subject = `${project_id} ${email}`;
  await Promise.all([
    setCount(world, 'mailsToOne', subject, lifted),
    setCount(world, 'mailsToOneDaily', subject, lifted),
  ]);
}

/** Makes an authorization code valid for an hour: running all faults of its redemption takes longer than a minute. */
export const prolongCode = ({ table }: Pick<World, 'table'>, code: string): Promise<unknown> =>
  table.update(keys.authorizationCode(code), {
    expires_at: Math.floor(Date.now() / 1_000) + 3_600,
  });
