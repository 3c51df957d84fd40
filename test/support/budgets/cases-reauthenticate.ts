import { newAuthenticator } from '../authenticator.ts';
import type { Call } from '../call.ts';
import { factorProject } from '../factors.ts';
import { page, passkeyProject } from '../passkeys.ts';
import { goodPassword } from '../sign-in.ts';
import type { World } from '../world.ts';
import { from, profile } from './case.ts';

/** Reauthentication: each case has its own project. */
export function reauthenticationCases(world: World) {
  const again = ({ bearer }: { bearer: string }, body: object): Call => ({
    ...{ method: 'POST', path: '/sessions/reauthenticate', auth: bearer, body },
  });
  const withPassword = async () => {
    const ours = await factorProject(world);
    const ada = await ours.signUp(`again-${ours.project_id}@factors.example.com`);
    return (body: object) => again(ada, body);
  };
  const withApp = async () => {
    const ours = await factorProject(world);
    const ada = await world.user({ ...profile, verified: true, project: ours.project });
    return { ...(await ours.enrol(ada)), by: (body: object) => again(ada, body) };
  };
  const withPasskey = async () => {
    const ours = await passkeyProject(world);
    const ada = await world.user({ ...profile, verified: true, project: ours.project });
    const { authenticator } = await ours.add(ada, newAuthenticator(page));
    return again(ada, { passkey: authenticator.get(await ours.request()) });
  };

  return {
    'sessions.reauthenticate': {
      'Bearer, password': from(withPassword, (by) => by({ password: goodPassword })),
      'Bearer, wrong password': from(withPassword, (by) => ({
        ...by({ password: 'wrong' }),
        refused: 401,
      })),
      'Bearer, code': from(withApp, ({ app, by }) => by({ code: app.code(1) })),
      'Bearer, wrong code': from(withApp, ({ app, by }) => ({
        ...by({ code: app.wrong() }),
        refused: 401,
      })),
      'Bearer, recovery code': from(withApp, ({ recovery_codes: [recovery_code], by }) =>
        by({ recovery_code }),
      ),
      'Bearer, passkey': withPasskey,
    },
  };
}
