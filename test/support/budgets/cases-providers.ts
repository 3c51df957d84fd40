import type { Call } from '../call.ts';
import { formOf } from '../oauth.ts';
import { startStandIn } from '../provider-stand-in.ts';
import { goThrough, personAt, providerProject, startOf, upToCallback } from '../providers.ts';
import type { Started } from '../sign-in.ts';
import type { World } from '../world.ts';
import { budgetTools, type Cases, from, profile } from './case.ts';

/** Sign-ins at providers by redirect. Each case has its own project. */
export function providerCases(world: World) {
  const { call } = budgetTools(world);
  const startBoth = () => Promise.all([startStandIn('google'), startStandIn('apple')]);
  const once = <T>(start: () => Promise<T>) => {
    let started: Promise<T> | undefined;
    return () => (started ??= start());
  };
  const usual = once(startBoth);
  const hasty = once(async () => {
    const both = await startBoth();
    for (const each of both) each.behave({ expires_in: 0 });
    return both;
  });
  /** A project with one past sign-in, so that the instance has cached project, provider metadata and secrets. */
  const visited = async (keep_tokens = false, start = usual) => {
    const standIns = await start();
    const ours = await providerProject(world, standIns, {}, keep_tokens ? { keep_tokens } : {});
    const email = `ada.king.${ours.project_id}@gmail.com`;
    const named = { name: 'Augusta Ada King', given_name: 'Augusta Ada', family_name: 'King' };
    for (const each of standIns) {
      each.is({ ...personAt(each.preset, email), ...named });
      await goThrough(world, ours, each.preset);
    }
    return { ...ours, email };
  };
  type At = Awaited<ReturnType<typeof visited>>;
  const signIn = async (at: At): Promise<Call> => {
    const { code, code_verifier } = await goThrough(world, at, 'google');
    const body = { project_id: at.project_id, code, code_verifier };
    return { method: 'POST', path: '/sessions/oauth', body };
  };
  const known = async () => {
    const at = await visited();
    const { email, project } = at;
    const { uid } = await world.user({ ...profile, email, verified: true, project });
    // The user item has the events of the last write, which starts a session.
    return { at, ada: await world.session(uid, project) };
  };
  /** A user whose provider tokens are stored, in a project whose key the instance has cached. */
  const kept = async (standIns = usual) => {
    const at = await visited(true, standIns);
    const { body } = await world.call<Started>(await signIn(at));
    return { ...at.project, uid: body.user.uid, bearer: `Bearer ${body.access_token}` };
  };
  /** The same with a stand-in that issues expired access tokens. */
  const expired = () => kept(hasty);
  const token = (whose: string, auth: string) =>
    call(`GET /users/${whose}/identities/google/token`, auth);
  return {
    'providers.start': {
      Anyone: from(
        () => visited(),
        (at) => {
          const { url } = startOf(world, at, 'google');
          return { method: 'GET', path: url.slice(world.url.length) };
        },
      ),
    },
    'providers.callback': {
      Anyone: from(
        () => visited(),
        async (at) => {
          const { path, cookie } = await upToCallback(world, at, 'google');
          return { method: 'GET', path, headers: { cookie } };
        },
      ),
    },
    'providers.callbackByForm': {
      Anyone: from(
        () => visited(),
        async (at) => {
          const { path, form = {}, cookie } = await upToCallback(world, at, 'apple');
          const posted = formOf(path, form);
          return { ...posted, headers: { ...posted.headers, cookie } };
        },
      ),
    },
    'providers.signIn': {
      'Anyone, new user': from(() => visited(), signIn),
      'Anyone, linked user': from(
        () => visited(),
        async (at) => {
          await world.call(await signIn(at));
          await world.call(await signIn(at));
          return signIn(at);
        },
      ),
      'Anyone, user with this e-mail': from(known, ({ at }) => signIn(at)),
      'Anyone, wrong code': from(
        () => visited(),
        async (at) => {
          const { body, ...rest } = await signIn(at);
          return { ...rest, body: { ...(body as object), code: 'x'.repeat(43) }, refused: 401 };
        },
      ),
    },
    'identities.getToken': {
      Bearer: from(
        () => kept(),
        ({ bearer }) => token('me', bearer),
      ),
      'Bearer, refreshed': from(expired, ({ bearer }) => token('me', bearer)),
    },
    'identities.getTokenOfUser': {
      Basic: from(
        () => kept(),
        ({ uid, basic }) => token(uid, basic),
      ),
      'Basic, refreshed': from(expired, ({ uid, basic }) => token(uid, basic)),
    },
    'identities.link': {
      'Bearer, code': from(known, async ({ at, ada }) => {
        const { code, code_verifier } = await goThrough(world, at, 'google');
        const body = { provider: 'google', code, code_verifier };
        return call('POST /users/me/identities', ada.bearer, body);
      }),
    },
  } satisfies Cases;
}
