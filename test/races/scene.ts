import { expect } from 'vitest';
import { keys } from '../../shared/db/keys.ts';
import { liftMailbox, liftSource } from '../support/limits.ts';
import { type SignIn, type Started, signInProject } from '../support/sign-in.ts';
import type { World } from '../support/world.ts';

type Item = Record<string, unknown>;
export type Scene = SignIn & { email: string };

let scenes = 0;

/** A new project, and an e-mail without an account. */
export async function limitedScene(world: World, settings: object = {}): Promise<Scene> {
  scenes += 1;
  return { ...(await signInProject(world, settings)), email: `ada.king${scenes}@example.com` };
}

/** The same without rate limits for the address and the e-mail. */
export async function newScene(world: World, settings: object = {}): Promise<Scene> {
  const at = await limitedScene(world, settings);
  await liftSource(world, at.project_id);
  await liftMailbox(world, at.project_id, at.email);
  return at;
}

/** Requests a code and sets it to a known one, without the mail. */
export async function knownCode(at: Scene): Promise<{ challenge_id: string; code: string }> {
  const { status, body } = await at.post<{ challenge_id: string }>('/codes', { email: at.email });
  expect(status).toBe(202);
  const { challenge_id } = body;
  const { getMailKey, mailedCode } = await import('../../shared/mail/mail-secret.ts');
  const { runInRequest } = await import('../../shared/db/request-context.ts');
  return {
    challenge_id,
    code: mailedCode(challenge_id, await runInRequest('', 5_000, getMailKey)),
  };
}

/** Every item of a project. */
export const itemsOf = async (world: World, project_id: string): Promise<Item[]> =>
  (await world.table.all()).filter((item) => item['project_id'] === project_id);

/** Exactly one user must have the e-mail, by the guard item and by the user item. */
export async function expectOneOwner(world: World, at: Scene, uid?: string): Promise<Item> {
  const guard = await world.table.get(keys.emailGuard(at.project_id, at.email));
  const items = await itemsOf(world, at.project_id);
  const users = items.filter(({ sk, email }) => sk === 'USER' && email === at.email);
  expect(users.map((user) => user['uid'])).toEqual([guard?.['uid']]);
  if (uid !== undefined) expect(guard?.['uid']).toBe(uid);
  return users[0] ?? {};
}

/** The ids of the user's remaining sessions. */
export const sessionsOf = async ({ table }: World, uid: string): Promise<unknown[]> =>
  (await table.query(keys.user(uid).pk, 'SESSION#')).map(({ session_id }) => session_id);

/** Both tokens of all these responses must be invalid. */
export async function expectDead(
  world: World,
  answers: { body: Pick<Started, 'access_token' | 'refresh_token'> }[],
): Promise<void> {
  for (const { body } of answers) {
    const { access_token, refresh_token } = body;
    expect((await world.call('GET', '/users/me', `Bearer ${access_token}`)).status).toBe(401);
    const refreshed = await world.call(
      ...(['POST', '/sessions/token/refresh', `Bearer ${refresh_token}`] as const),
      { accessToken: access_token },
    );
    expect(refreshed.status).toBe(401);
  }
}

/** The responses that started a session. */
export const successes = <T extends { status: number }>(answers: T[]): T[] =>
  answers.filter(({ status }) => status < 300);
