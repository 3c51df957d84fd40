import { keys } from '../../shared/db/schema.ts';
import type { User } from '../../shared/model/resources.ts';
import type { Cases } from './budget-case.ts';
import type { Call } from './call.ts';
import { invitationCalls, tokenIn } from './invitations.ts';
import type { Person, World } from './world.ts';

type Place = { workspace_id: string; owner: Person };

let lists = 0;

/** A call of everything that is done with members and invitations, for each way it can go that costs differently. */
export function memberCases(world: World, profile: Partial<Omit<User, 'verified'>>) {
  const { basic } = world.project;
  const { invite, mailsTo } = invitationCalls(world);
  const person = (verified = true) => world.user({ ...profile, verified });
  const place = async (): Promise<Place> => world.workspace({ owner: await person() });
  const request =
    (method: string, under: string) =>
    ({ workspace_id }: Place, auth = basic, body?: object): Call => ({
      method,
      path: `/workspaces/${workspace_id}/${under}`,
      auth,
      ...(body && { body }),
    });
  const add = (at: Place, { uid }: Person, auth = basic) =>
    request('POST', 'users')(at, auth, { user_id: uid, role: 'member' });
  const inviting = (at: Place, body: object, auth = basic) =>
    request('POST', 'invitations')(at, auth, body);
  const rows = (count: number) => {
    lists += 1;
    return {
      invitations: Array.from({ length: count }, (_, i) => ({
        email: `row${i}-${lists}@example.net`,
        role: 'member',
      })),
    };
  };
  const withMember = async () => {
    const at = await place();
    return { ...at, ada: await world.member(at, 'member', await person()) };
  };
  const withGuest = async (verified = true) => {
    const at = await place();
    return { ...at, ada: await world.invited(at, 'member', await person(verified)) };
  };
  type Caller = 'Basic' | 'Bearer' | 'self';
  const authOf = ({ owner, ada }: Place & { ada: Person }, caller: Caller) =>
    ({ Basic: basic, Bearer: owner.bearer, self: ada.bearer })[caller];
  const onMember = async (caller: Caller, method: string, verb = '', body?: object) => {
    const at = await withMember();
    return request(method, `users/${at.ada.uid}${verb}`)(at, authOf(at, caller), body);
  };
  const onGuest = async (caller: Caller, method: string, verb = '') => {
    const at = await withGuest();
    return request(method, `invitations/${at.ada.uid}${verb}`)(at, authOf(at, caller));
  };
  const byEmail = async (caller: Caller) => {
    const at = await withGuest();
    return request('DELETE', `invitations?email=${at.ada.email}`)(at, authOf(at, caller));
  };
  const accepting = async (caller: Caller, verified = true): Promise<Call> => {
    const at = await withGuest(verified);
    const token = tokenIn((await mailsTo(at.ada.email))[0]?.text);
    const auth = authOf(at, caller);
    return { method: 'POST', path: '/invitations/accept', auth, body: { token } };
  };
  const twice = async (call: Call) => {
    await world.call(call);
    return call;
  };
  const crowd = async () => {
    const at = await place();
    for (let i = 0; i < 20; i += 1) {
      const { email } = await person();
      await invite(at.workspace_id, { email, role: 'member', send_mail: false });
    }
    return at;
  };
  const suspended = { suspended: true };

  return {
    'members.add': {
      Basic: async () => add(await place(), await person()),
      'Basic, invited': async () => {
        const { ada, ...at } = await withGuest();
        return add(at, ada);
      },
      'Bearer, who shares a workspace': async () => {
        const [at, ada] = [await place(), await person()];
        await world.member(await world.workspace({ owner: at.owner }), 'member', ada);
        return add(at, ada, at.owner.bearer);
      },
      'Bearer, of a proven domain': async () => {
        const at = await place();
        const proven_domains = { 'example.com': '2026-11-21T08:00:00.000Z' };
        await world.table.update(keys.workspace(at.workspace_id), { proven_domains });
        return add(at, await person(), at.owner.bearer);
      },
      'Bearer, a stranger, who is invited': async () => {
        const at = await place();
        return add(at, await person(), at.owner.bearer);
      },
    },
    'members.get': {
      Basic: () => onMember('Basic', 'GET'),
      Bearer: () => onMember('Bearer', 'GET'),
    },
    'members.remove': {
      Basic: () => onMember('Basic', 'DELETE'),
      Bearer: () => onMember('Bearer', 'DELETE'),
      'Bearer, themself': () => onMember('self', 'DELETE'),
    },
    'members.suspend': {
      Basic: () => onMember('Basic', 'PUT', '/suspension', suspended),
      'Basic, suspended already': async () =>
        twice(await onMember('Basic', 'PUT', '/suspension', suspended)),
      Bearer: () => onMember('Bearer', 'PUT', '/suspension', suspended),
    },
    'members.changeRole': {
      Basic: () => onMember('Basic', 'PUT', '/role', { role: 'admin' }),
      Bearer: () => onMember('Bearer', 'PUT', '/role', { role: 'admin' }),
    },
    'invitations.create': {
      'Basic, known e-mail': async () =>
        inviting(await place(), { email: (await person()).email, role: 'member' }),
      'Basic, known e-mail, without a mail': async () => {
        const { email } = await person();
        return inviting(await place(), { email, role: 'member', send_mail: false });
      },
      'Basic, new e-mail': async () =>
        inviting(await place(), { email: 'invited@example.net', role: 'member' }),
      'Basic, 20 new e-mails': async () => inviting(await place(), rows(20)),
      'Basic, 20 e-mails again': async () => twice(inviting(await place(), rows(20))),
      'Bearer, known e-mail': async () => {
        const at = await place();
        const { email } = await person();
        return inviting(at, { email, role: 'member' }, at.owner.bearer);
      },
    },
    'invitations.list': {
      'Basic, 20 invitations': async () => request('GET', 'invitations')(await crowd()),
      'Bearer, 20 invitations': async () => {
        const at = await crowd();
        return request('GET', 'invitations')(at, at.owner.bearer);
      },
    },
    'invitations.resend': {
      Basic: () => onGuest('Basic', 'POST', '/resend'),
      Bearer: () => onGuest('Bearer', 'POST', '/resend'),
    },
    'invitations.end': {
      Basic: () => onGuest('Basic', 'DELETE'),
      Bearer: () => onGuest('Bearer', 'DELETE'),
      'Bearer, the invitee': () => onGuest('self', 'DELETE'),
    },
    'invitations.endByEmail': {
      Basic: () => byEmail('Basic'),
      Bearer: () => byEmail('Bearer'),
    },
    'invitations.accept': {
      'Basic, proven e-mail': () => accepting('Basic'),
      'Basic, e-mail that was not proven, 1 session': () => accepting('Basic', false),
      'Bearer, proven e-mail': () => accepting('self'),
      'Bearer, e-mail that was not proven': () => accepting('self', false),
      'Bearer, a member already': async () => twice(await accepting('self')),
    },
  } satisfies Cases;
}
