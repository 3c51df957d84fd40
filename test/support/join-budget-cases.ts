import type { User } from '../../shared/model/resources.ts';
import { domainRecord } from '../../shared/workspaces/domain-modes.ts';
import type { Cases } from './budget-case.ts';
import type { Call } from './call.ts';
import { startNameServer } from './name-server.ts';
import type { Person, World } from './world.ts';

type Place = { workspace_id: string; owner: Person };

let domains = 0;

/** A call of every way into a workspace, for each way it can go that costs differently. */
export function waysInCases(world: World, profile: Partial<Omit<User, 'verified'>>) {
  const { basic, project_id } = world.project;
  const person = (given: { email?: string } = {}) =>
    world.user({ ...profile, verified: true, ...given });
  const place = async (): Promise<Place> => world.workspace({ owner: await person() });
  const newDomain = () => {
    domains += 1;
    return `domain${domains}.example.net`;
  };
  const request =
    (method: string, under: string) =>
    ({ workspace_id }: Place, auth = basic, body?: object): Call => ({
      method,
      path: `/workspaces/${workspace_id}/${under}`,
      auth,
      ...(body && { body }),
    });
  const allow = (at: Place, domain: string, auth = basic) =>
    request('PUT', 'allowed_domains')(at, auth, { allowed_domains: [domain] });
  const setMode = (at: Place, domain: string, mode: string, auth = basic) =>
    request('PUT', `allowed_domains/${domain}`)(at, auth, { mode });
  const join = ({ workspace_id }: Place, { uid }: Person, auth = basic, token?: string): Call => ({
    method: 'POST',
    path: '/workspaces/join',
    auth,
    body: { workspace_id, user_id: uid, ...(token !== undefined && { join_token: token }) },
  });
  const ask = (at: Place, { bearer }: Person) => request('POST', 'join_requests')(at, bearer, {});
  /** A workspace that somebody, or so many, asked to join. */
  const asked = async (count = 1) => {
    const [at, domain] = [await place(), newDomain()];
    await world.call(setMode(at, domain, 'suggest'));
    const people: Person[] = [];
    for (let i = 0; i < count; i += 1) {
      const asker = await person({ email: `asker${i}@${domain}` });
      await world.call(ask(at, asker));
      people.push(asker);
    }
    return { ...at, asker: people[0] as Person };
  };
  const decide = (at: Place & { asker: Person }, auth = basic) =>
    request('POST', `join_requests/${at.asker.uid}/approve`)(at, auth, {});
  const end = (at: Place & { asker: Person }, auth = basic) =>
    request('DELETE', `join_requests/${at.asker.uid}`)(at, auth);
  const newLink = request('POST', 'join_links');
  const linkedBy = async (maker?: 'owner') => {
    const at = await place();
    const auth = maker ? at.owner.bearer : basic;
    const { body } = await world.call<{ link_id: string; token: string }>(newLink(at, auth, {}));
    return { ...at, ...body };
  };
  const linked = () => linkedBy();
  const manyLinks = async () => {
    const at = await place();
    for (let i = 0; i < 5; i += 1) await world.call(newLink(at, basic, {}));
    return at;
  };
  /** A workspace whose record is published. */
  const published = async () => {
    const [at, domain, { publish }] = [await place(), newDomain(), await startNameServer()];
    const { name, value } = domainRecord({ project_id, ...at }, domain);
    publish(name, value);
    return { at, domain, prove: request('POST', `allowed_domains/${domain}/proof`) };
  };

  return {
    'workspaces.setAllowedDomains': {
      'Basic, one domain': async () => allow(await place(), newDomain()),
      'Basic, one for another': async () => {
        const at = await place();
        await world.call(allow(at, newDomain()));
        return allow(at, newDomain());
      },
      'Bearer, one domain': async () => {
        const at = await place();
        return allow(at, 'example.com', at.owner.bearer);
      },
    },
    'workspaces.listInvited': {
      'Bearer, 1 invitation, 1 of the domain, 1 request': async () => {
        const [here, there, domain] = [await place(), await place(), newDomain()];
        const invited = await person({ email: `invited@${domain}` });
        await world.invited(await place(), 'member', invited);
        await world.call(allow(here, domain));
        await world.call(setMode(there, domain, 'suggest'));
        await world.call(ask(there, invited));
        await world.call(setMode(there, domain, 'off'));
        return { method: 'GET', path: '/workspaces/invited/search', auth: invited.bearer };
      },
    },
    'members.join': {
      Basic: async () => join(await place(), await person()),
      'Basic, invited': async () => {
        const at = await place();
        return join(at, await world.invited(at, 'member', await person()));
      },
      'Basic, a member already': async () => {
        const at = await place();
        return join(at, await world.member(at, 'member', await person()));
      },
      'Basic, by a link': async () => {
        const at = await linked();
        return join(at, await person(), basic, at.token);
      },
      'Bearer, invited': async () => {
        const at = await place();
        const invited = await world.invited(at, 'member', await person());
        return join(at, invited, invited.bearer);
      },
      'Bearer, by a link': async () => {
        const [at, joining] = [await linked(), await person()];
        return join(at, joining, joining.bearer, at.token);
      },
      "Bearer, by a person's link": async () => {
        const [at, joining] = [await linkedBy('owner'), await person()];
        return join(at, joining, joining.bearer, at.token);
      },
      'Bearer, of an allowed domain': async () => {
        const [at, domain] = [await place(), newDomain()];
        await world.call(allow(at, domain));
        const colleague = await person({ email: `colleague@${domain}` });
        return join(at, colleague, colleague.bearer);
      },
    },
    'domains.list': {
      Basic: async () => request('GET', 'allowed_domains')(await place()),
      Bearer: async () => {
        const at = await place();
        return request('GET', 'allowed_domains')(at, at.owner.bearer);
      },
    },
    'domains.set': {
      Basic: async () => setMode(await place(), newDomain(), 'suggest'),
      'Basic, another mode': async () => {
        const [at, domain] = [await place(), newDomain()];
        await world.call(setMode(at, domain, 'suggest'));
        return setMode(at, domain, 'auto');
      },
      Bearer: async () => {
        const at = await place();
        return setMode(at, 'example.com', 'suggest', at.owner.bearer);
      },
    },
    'domains.prove': {
      Basic: async () => {
        const { at, prove } = await published();
        return prove(at);
      },
      Bearer: async () => {
        const { at, prove } = await published();
        return prove(at, at.owner.bearer);
      },
      'Basic, an allowed one': async () => {
        const { at, domain, prove } = await published();
        await world.call(setMode(at, domain, 'suggest'));
        return prove(at);
      },
      'Bearer, proven before': async () => {
        const { at, prove } = await published();
        await world.call(prove(at));
        return prove(at, at.owner.bearer);
      },
    },
    'joinRequests.create': {
      Bearer: async () => {
        const { asker, ...at } = await asked();
        await world.call(end({ asker, ...at }));
        return ask(at, asker);
      },
      'Bearer, repeated': async () => {
        const { asker, ...at } = await asked();
        return ask(at, asker);
      },
    },
    'joinRequests.list': {
      'Basic, 5 requests': async () => request('GET', 'join_requests')(await asked(5)),
      'Bearer, 5 requests': async () => {
        const at = await asked(5);
        return request('GET', 'join_requests')(at, at.owner.bearer);
      },
    },
    'joinRequests.approve': {
      Basic: async () => decide(await asked()),
      Bearer: async () => {
        const at = await asked();
        return decide(at, at.owner.bearer);
      },
    },
    'joinRequests.delete': {
      'Basic, refused': async () => end(await asked()),
      'Bearer, refused': async () => {
        const at = await asked();
        return end(at, at.owner.bearer);
      },
      'Bearer, taken back': async () => {
        const at = await asked();
        return end(at, at.asker.bearer);
      },
    },
    'joinLinks.create': {
      Basic: async () => newLink(await place(), basic, {}),
      Bearer: async () => {
        const at = await place();
        return newLink(at, at.owner.bearer, {});
      },
    },
    'joinLinks.list': {
      'Basic, 5 links': async () => request('GET', 'join_links')(await manyLinks()),
      'Bearer, 5 links': async () => {
        const at = await manyLinks();
        return request('GET', 'join_links')(at, at.owner.bearer);
      },
    },
    'joinLinks.revoke': {
      Basic: async () => {
        const at = await linked();
        return request('DELETE', `join_links/${at.link_id}`)(at);
      },
      Bearer: async () => {
        const at = await linked();
        return request('DELETE', `join_links/${at.link_id}`)(at, at.owner.bearer);
      },
    },
  } satisfies Cases;
}
