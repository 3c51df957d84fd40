import { keys } from '../../shared/db/keys.ts';
import type { Account } from '../../shared/identity/password-attempts.ts';
import { lifetimes, limits } from '../../shared/model/limits.ts';
import { type Rate, rates } from '../../shared/model/rates.ts';
import type { World } from './world.ts';

/** Every test comes from one address. */
const address = '127.0.0.1';

/** Sets what is counted, now and in the next window: a test may pass from one to the other. */
async function setCount({ table }: World, rate: Rate, subject: string, count: number) {
  const { seconds } = rates[rate];
  const window = Math.floor(Date.now() / 1_000 / seconds);
  const expires_at = (window + 3) * seconds;
  for (const each of [window, window + 1])
    await table.put({ ...keys.rate(rate, subject, each), count, expires_at });
}

/**
 * Lets a test do something as often as it likes: the count begins far below zero. The service counts as always, so its
 * calls and what they cost stay the same.
 */
const liftLimit = (world: World, rate: Rate, subject: string): Promise<void> =>
  setCount(world, rate, subject, -1_000_000);

/** Lifts how often the password of an account may be tried. */
export async function liftTries({ table }: World, account: Account): Promise<void> {
  const { seconds } = rates.passwordFailures;
  const window = Math.floor(Date.now() / 1_000 / seconds);
  const many = -1_000_000;
  const counts = { total: many, [`w${window}`]: many, [`w${window + 1}`]: many };
  const expires_at = (window + 3) * seconds;
  await table.put({ ...keys.passwordTries(account), ...counts, expires_at });
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

/** The address has failed once in a project, and asked for one mail. */
export async function usedOnce(world: World, project_id: string): Promise<void> {
  const subject = `${project_id} ${address}`;
  await Promise.all([
    setCount(world, 'failuresFromOne', subject, 1),
    setCount(world, 'mailsFromOne', subject, 1),
  ]);
}

/** Lifts what one address may do in a project. */
export async function liftSource(world: World, project_id: string): Promise<void> {
  const subject = `${project_id} ${address}`;
  await Promise.all([
    liftLimit(world, 'failuresFromOne', subject),
    liftLimit(world, 'mailsFromOne', subject),
  ]);
}

/** Lifts what may be mailed to one e-mail. */
export async function liftMailbox(world: World, project_id: string, email: string): Promise<void> {
  const subject = `${project_id} ${email}`;
  await Promise.all([
    liftLimit(world, 'mailsToOne', subject),
    liftLimit(world, 'mailsToOneDaily', subject),
  ]);
}

/** Lets an authorization code be good for an hour: a run of all faults of its redemption takes longer than a minute. */
export const prolongCode = ({ table }: Pick<World, 'table'>, code: string): Promise<unknown> =>
  table.update(keys.authorizationCode(code), {
    expires_at: Math.floor(Date.now() / 1_000) + 3_600,
  });
