import { expect } from 'vitest';
import { newAddress } from '../../support/mail-feed.ts';
import { goodPassword, type SignIn, type Started } from '../../support/sign-in.ts';
import type { World } from '../../support/world.ts';

type Signed = Started & { device_token: string };

/** Sign-ins of a user from several devices, and the mails about them. */
export function devicesOfAUser(world: World) {
  /** Posts as a browser without cookies does, which names itself. */
  async function enter({ project_id }: SignIn, path: string, agent: string, body: object) {
    const answer = await world.call<Signed>({
      ...{ method: 'POST', path, headers: { 'user-agent': agent } },
      body: { project_id, ...body },
    });
    expect(answer.status).toBe(201);
    return answer.body;
  }

  /** The devices that mails about new devices name, newest first. */
  async function newDeviceMails(email: string): Promise<string[]> {
    await world.drainStream();
    return world
      .mails()
      .filter(({ to, subject }) => to === email && subject.startsWith('New sign-in to '))
      .map(({ text }) => / from (.*?), network /.exec(text)?.[1] ?? text);
  }

  async function signedUp(ours: SignIn, agent: string, email = newAddress()) {
    await ours.post('/sign-up', { email });
    const proof = { token: await ours.mailed(email), password: goodPassword };
    const { uid, device_token, access_token } = await enter(ours, '/passwords', agent, proof);
    const byPassword = (on: string, more: object = {}) =>
      enter(ours, '/sessions/password', on, { email, password: goodPassword, ...more });
    return { email, uid, device_token, bearer: `Bearer ${access_token}`, byPassword };
  }

  return { enter, newDeviceMails, signedUp };
}
