import { type Rate, rates } from '../../shared/limits.ts';
import { keys } from '../../shared/table/shape.ts';
import type { World } from './world.ts';

/** Every test comes from one address. */
const address = '127.0.0.1';

/**
 * Lets a test do something as often as it likes, now and in the next window: the count begins far below zero. The
 * service counts as always, so its calls and what they cost stay the same.
 */
export async function liftLimit({ table }: World, rate: Rate, subject: string): Promise<void> {
  const { seconds } = rates[rate];
  const window = Math.floor(Date.now() / 1_000 / seconds);
  const expires_at = (window + 3) * seconds;
  for (const each of [window, window + 1])
    await table.put({ ...keys.rate(rate, subject, each), count: -1_000_000, expires_at });
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
