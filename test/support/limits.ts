import { keys } from '../../shared/db/keys.ts';
import type { Account } from '../../shared/identity/passwords/password-attempts.ts';
import { lifetimes, limits } from '../../shared/model/limits.ts';
import { type Rate, rates } from '../../shared/model/rates.ts';
import type { World } from './world.ts';

/** Every test comes from one address. */
const address = '127.0.0.1';

/** So far below every limit that a test may do something as often as it likes; what it costs stays the same. */
const lifted = -1_000_000;

/**
 * The window of now and the next one, since a test may pass from one to the other, and when what is counted there
 * expires.
 */
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

/** Lifts how often the password of an account may be tried. */
export async function liftTries({ table }: World, account: Account): Promise<void> {
  const { windows, expires_at } = windowsOf('passwordFailures');
  const counts = Object.fromEntries(windows.map((each) => [`w${each}`, lifted]));
  await table.put({ ...keys.passwordTries(account), total: lifted, ...counts, expires_at });
}

/** The password of an account was tried so often in a row in vain: unless told else, one less than ends it. */
export async function guessedAt(
  { table }: Pick<World, 'table'>,
  account: Account,
  total: number = limits.wrongPasswordsInARow - 1,
): Promise<void> {
  const expires_at = Math.floor(Date.now() / 1_000) + lifetimes.wrongPasswords;
  await table.put({ ...keys.passwordTries(account), total, expires_at });
}

/** Sets how often one address has failed in a project, and how many mails it has asked for. */
export async function setSource(world: World, project_id: string, count: number): Promise<void> {
  const subject = `${project_id} ${address}`;
  await Promise.all([
    setCount(world, 'failuresFromOne', subject, count),
    setCount(world, 'mailsFromOne', subject, count),
  ]);
}

/** Lifts what one address may do in a project. */
export const liftSource = (world: World, project_id: string): Promise<void> =>
  setSource(world, project_id, lifted);

/** Lifts what may be mailed to one e-mail. */
export async function liftMailbox(world: World, project_id: string, email: string): Promise<void> {
  const subject = `${project_id} ${email}`;
  await Promise.all([
    setCount(world, 'mailsToOne', subject, lifted),
    setCount(world, 'mailsToOneDaily', subject, lifted),
  ]);
}

/** Lets an authorization code be good for an hour: a run of all faults of its redemption takes longer than a minute. */
export const prolongCode = ({ table }: Pick<World, 'table'>, code: string): Promise<unknown> =>
  table.update(keys.authorizationCode(code), {
    expires_at: Math.floor(Date.now() / 1_000) + 3_600,
  });
