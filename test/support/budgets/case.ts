import type { Operation } from '../../../shared/contract/api.ts';
import { byMember } from '../../../shared/db/index-attributes.ts';
import { keys } from '../../../shared/db/keys.ts';
import type { Call } from '../call.ts';
import type { Person, World } from '../world.ts';

/** Prepares a case and returns the call to measure, with its status if it is not a success. */
export type Prepare = () => Promise<Call & { refused?: number }>;

/** The cases of some endpoints, by name; a name begins with the kind of caller. */
export type Cases = Partial<Record<Operation, Record<string, Prepare>>>;

export type Place = { workspace_id: string; owner: Person };

/** A typical profile: item sizes, and so capacity units, follow from it. */
export const profile = {
  display_name: 'Augusta Ada King',
  name: { given_name: 'Augusta Ada', family_name: 'King', formatted: 'Augusta Ada King' },
  thumbnail_url: 'https://images.example.com/people/0192f0c1/thumbnail.png',
};

/** A case whose call is built from the prepared data. */
export const from =
  <T>(prepare: () => Promise<T>, make: (prepared: T) => ReturnType<Prepare> | Call): Prepare =>
  async () =>
    make(await prepare());

/** Helpers that prepare most cases. */
export function budgetTools(world: World) {
  const { basic } = world.project;
  const person = (given: { email?: string; verified?: boolean } = {}) =>
    world.user({ ...profile, verified: true, ...given });
  const place = async (): Promise<Place> => world.workspace({ owner: await person() });
  /** `GET /users/me`, by default by the project's backend. */
  const call = (route: string, auth = basic, body?: object): Call => {
    const [method = '', path = ''] = route.split(' ');
    return { method, path, auth, ...(body && { body }) };
  };

  return {
    person,
    place,
    call,
    /** `PUT /allowed_domains` below the path of a workspace, or `GET` at it. */
    at({ workspace_id }: Place, route: string, auth?: string, body?: object): Call {
      const [method = '', path = ''] = route.split(' ');
      return call(`${method} /workspaces/${workspace_id}${path}`, auth, body);
    },
    /** The cases of a call by the project's backend, and by the prepared user or owner of the workspace. */
    both<T extends { bearer: string } | { owner: Person }>(
      prepare: () => Promise<T>,
      make: (prepared: T, auth: string) => Call,
      more = '',
    ): Record<string, Prepare> {
      return {
        [`Basic${more}`]: from(prepare, (one) => make(one, basic)),
        [`Bearer${more}`]: from(prepare, (one) =>
          make(one, 'owner' in one ? one.owner.bearer : one.bearer),
        ),
      };
    },
    /** The case of a call that is made a second time. */
    again: (prepare: Prepare): Prepare =>
      from(prepare, async (one) => {
        await world.call(one);
        return one;
      }),
    async memberOf(count: number): Promise<Person> {
      const joining = await person();
      for (let i = 0; i < count; i += 1) await world.member(await place(), 'member', joining);
      return joining;
    },
  };
}

/**
 * Puts copies of the owner's member item into a workspace, each with a user id that does not exist, until it has
 * `count`.
 */
export async function seedMembers(
  { table }: World,
  { workspace_id, owner }: Place,
  count: number,
): Promise<void> {
  const model = await table.get(keys.member(workspace_id, owner.uid));
  const members = Array.from({ length: count - 1 }, (_, i) => {
    const uid = `0192f0c1-0000-7000-8000-${String(i).padStart(12, '0')}`;
    return {
      ...model,
      ...keys.member(workspace_id, uid),
      ...byMember('accepted', uid, workspace_id),
      user_id: uid,
      role: 'member',
    };
  });
  await table.putAll(members);
  await table.update(keys.workspace(workspace_id), { total_member_count: count });
}
