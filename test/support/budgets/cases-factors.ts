import { keys } from '../../../shared/db/keys.ts';
import type { Call } from '../call.ts';
import { factorProject, newApp } from '../factors.ts';
import { goodPassword } from '../sign-in.ts';
import type { World } from '../world.ts';
import { from, profile } from './case.ts';

/** Second factors: each case has its own project, and a user with a confirmed authenticator app. */
export function factorCases(world: World) {
  const without = async () => {
    const ours = await factorProject(world);
    const ada = await world.user({ ...profile, verified: true, project: ours.project });
    const by = (method: string, path: string, body?: object): Call => ({
      ...{ method, path, auth: ada.bearer, ...(body && { body }) },
    });
    return { ...ours, ada, by };
  };
  const scene = async () => {
    const ours = await without();
    return { ...ours, ...(await ours.enrol(ours.ada)) };
  };
  /** A sign-in that waits for the second factor. */
  const waiting = async () => {
    const ours = await factorProject(world);
    const email = `waiting-${ours.project_id}@factors.example.com`;
    const ada = await ours.signUp(email);
    const factor = await ours.enrol(ada, { current_password: goodPassword });
    await ours.rest(ada.uid);
    const { mfa_token } = (await ours.byPassword(email)).body;
    const step = (proof: object): Call => ({
      ...{ method: 'POST', path: '/sessions/mfa' },
      body: { project_id: ours.project_id, mfa_token, ...proof },
    });
    return { ...factor, step };
  };
  /** A sign-in that must add a second factor, because the project requires one. */
  const enrolling = async () => {
    const ours = await factorProject(world, { mfa: 'required' });
    const email = `enrolling-${ours.project_id}@factors.example.com`;
    await ours.signUpWithMfa(email);
    const { mfa_token } = (await ours.byPassword(email)).body;
    const { uid = '' } = (await world.table.get(keys.mfaToken(mfa_token))) as { uid?: string };
    await world.session(uid, ours.project);
    const step = (to: string, more: object = {}): Call => ({
      ...{ method: 'POST', path: `/sessions/mfa/totp${to}` },
      body: { project_id: ours.project_id, mfa_token, ...more },
    });
    const start = async () => newApp((await ours.startEnrolment({ mfa_token })).body.secret);
    return { step, start };
  };
  const path = '/users/me/factors';

  return {
    'factors.startTotp': { Bearer: from(without, ({ by }) => by('POST', `${path}/totp`, {})) },
    'factors.confirmTotp': {
      Bearer: from(without, async ({ ada, by, factorsOf }) => {
        const { secret } = (await factorsOf(ada).startTotp({})).body;
        return by('POST', `${path}/totp/confirm`, { code: newApp(secret).code(1) });
      }),
    },
    'factors.list': { Bearer: from(scene, ({ by }) => by('GET', path)) },
    'factors.deleteTotp': {
      Bearer: from(scene, ({ app, by }) => by('DELETE', `${path}/totp`, { code: app.code(1) })),
      'Bearer, recovery code': from(scene, ({ recovery_codes: [recovery_code], by }) =>
        by('DELETE', `${path}/totp`, { recovery_code }),
      ),
      'Bearer, wrong code': from(scene, ({ app, by }) => ({
        ...by('DELETE', `${path}/totp`, { code: app.wrong() }),
        refused: 401,
      })),
    },
    'factors.renewRecoveryCodes': {
      Bearer: from(scene, ({ app, by }) =>
        by('POST', `${path}/recovery_codes`, { code: app.code(1) }),
      ),
      'Bearer, recovery code': from(scene, ({ recovery_codes: [recovery_code], by }) =>
        by('POST', `${path}/recovery_codes`, { recovery_code }),
      ),
    },
    // The code of the next time step: a fault run may repeat a case for a minute.
    'factors.signIn': {
      Anyone: from(waiting, ({ app, step }) => step({ code: app.code(1) })),
      'Anyone, recovery code': from(waiting, ({ recovery_codes: [recovery_code], step }) =>
        step({ recovery_code }),
      ),
      'Anyone, wrong code': from(waiting, ({ app, step }) => ({
        ...step({ code: app.wrong() }),
        refused: 401,
      })),
    },
    'factors.startEnrolment': { Anyone: from(enrolling, ({ step }) => step('')) },
    'factors.confirmEnrolment': {
      Anyone: from(enrolling, async ({ step, start }) =>
        step('/confirm', { code: (await start()).code(1) }),
      ),
      'Anyone, wrong code': from(enrolling, async ({ step, start }) => ({
        ...step('/confirm', { code: (await start()).wrong() }),
        refused: 401,
      })),
    },
    'factors.reset': {
      Basic: from(scene, ({ ada, project }) => ({
        ...{ method: 'DELETE', path: `/users/${ada.uid}/factors`, auth: project.basic },
      })),
    },
  };
}
