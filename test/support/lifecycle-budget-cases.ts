import type { User } from '../../shared/model/resources.ts';
import type { Cases } from './budget-case.ts';
import type { Call } from './call.ts';
import { goodPassword, signInProject } from './sign-in.ts';
import type { Person, World } from './world.ts';

type Place = { workspace_id: string; owner: Person };

/** A call of what ends or begins again, for each way it can go that costs differently. */
export function lifecycleCases(world: World, profile: Partial<Omit<User, 'verified'>>) {
  const { basic } = world.project;
  const person = () => world.user({ ...profile, verified: true });
  const place = async (): Promise<Place> => world.workspace({ owner: await person() });
  const at = (method: string, { workspace_id }: Place, under = '', auth = basic): Call => ({
    method,
    path: `/workspaces/${workspace_id}${under}`,
    auth,
  });
  const deleted = async () => {
    const found = await place();
    await world.call(at('DELETE', found));
    return found;
  };
  const user = (method: string, { uid }: Person, under = '', auth = basic): Call => ({
    method,
    path: `/users/${uid}${under}`,
    auth,
  });
  const memberOf = async (count: number) => {
    const joining = await person();
    for (let i = 0; i < count; i += 1) await world.member(await place(), 'member', joining);
    return joining;
  };
  const offering = async (auth: (owner: Person) => string) => {
    const found = await place();
    const admin = await world.member(found, 'admin', await person());
    const call = {
      ...at('POST', found, '/ownership', auth(found.owner)),
      body: { user_id: admin.uid },
    };
    return { found, admin, call };
  };
  const offered = async () => {
    const { found, admin, call } = await offering(({ bearer }) => bearer);
    await world.call(call);
    return { found, admin };
  };
  const byProject = () => basic;
  const byOwner = ({ bearer }: Person) => bearer;

  return {
    'users.delete': {
      'Basic, 2 sessions': async () => {
        const one = await person();
        await world.session(one.uid);
        return user('DELETE', one);
      },
      'Basic, again': async () => {
        const one = await person();
        await world.call(user('DELETE', one));
        return user('DELETE', one);
      },
      'Bearer, owner of 1 workspace': async () => {
        const { owner } = await place();
        return user('DELETE', owner, '', owner.bearer);
      },
      'Bearer, with a password': async () => {
        const { signUp } = await signInProject(world);
        const one = await signUp('leaving@example.com', goodPassword, profile);
        const body = { current_password: goodPassword };
        return { ...user('DELETE', one, '', one.bearer), body };
      },
    },
    'users.getDeletion': {
      Basic: async () => {
        const one = await person();
        await world.call(user('DELETE', one));
        return user('GET', one, '/deletion');
      },
    },
    'users.export': {
      'Basic, 5 workspaces': async () => user('GET', await memberOf(5), '/export'),
      'Bearer, 5 workspaces': async () => {
        const one = await memberOf(5);
        return user('GET', one, '/export', one.bearer);
      },
    },
    'workspaces.delete': {
      Basic: async () => at('DELETE', await place()),
      Bearer: async () => {
        const found = await place();
        return at('DELETE', found, '', found.owner.bearer);
      },
    },
    'workspaces.restore': {
      Basic: async () => at('POST', await deleted(), '/restore'),
      Bearer: async () => {
        const found = await deleted();
        return at('POST', found, '/restore', found.owner.bearer);
      },
    },
    'ownership.offer': {
      'Basic, handed over': async () => (await offering(byProject)).call,
      Bearer: async () => (await offering(byOwner)).call,
    },
    'ownership.accept': {
      Bearer: async () => {
        const { found, admin } = await offered();
        return at('POST', found, '/ownership/accept', admin.bearer);
      },
    },
    'ownership.end': {
      Basic: async () => at('DELETE', (await offered()).found, '/ownership'),
      Bearer: async () => {
        const { found } = await offered();
        return at('DELETE', found, '/ownership', found.owner.bearer);
      },
    },
  } satisfies Cases;
}
