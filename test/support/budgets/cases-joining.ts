import { domainRecord } from '../../../shared/workspaces/domains/modes.ts';
import { invitationCalls, tokenIn } from '../invitations.ts';
import { startNameServer } from '../name-server.ts';
import type { Person, World } from '../world.ts';
import { budgetTools, type Cases, from, type Place } from './case.ts';

let [domains, lists] = [0, 0];
const newDomain = () => `domain${(domains += 1)}.example.net`;

/** Joining a workspace: allowed domains, join requests, join links and invitations. */
export function joinCases(world: World) {
  const { basic, project_id } = world.project;
  const { person, place, call, at, both, again } = budgetTools(world);
  const { invite: inviteNow, mailsTo } = invitationCalls(world);

  const allow = (one: Place, domain: string, auth?: string) =>
    at(one, 'PUT /allowed_domains', auth, { allowed_domains: [domain] });
  const setMode = (one: Place, domain: string, mode: string, auth?: string) =>
    at(one, `PUT /allowed_domains/${domain}`, auth, { mode });
  /** A workspace whose record is published. */
  const published = async () => {
    const [one, domain, { publish }] = [await place(), newDomain(), await startNameServer()];
    const { name, value } = domainRecord({ project_id, ...one }, domain);
    publish(name, value);
    return { ...one, domain };
  };
  const prove = (one: Place & { domain: string }, auth?: string) =>
    at(one, `POST /allowed_domains/${one.domain}/proof`, auth);

  const ask = (one: Place, { bearer }: Person) => at(one, 'POST /join_requests', bearer, {});
  /** A workspace with this number of join requests. */
  const askedBy = (count: number) => async () => {
    const [one, domain] = [await place(), newDomain()];
    await world.call(setMode(one, domain, 'suggest'));
    const people: Person[] = [];
    for (let i = 0; i < count; i += 1) {
      const asker = await person({ email: `asker${i}@${domain}` });
      await world.call(ask(one, asker));
      people.push(asker);
    }
    return { ...one, asker: people[0] as Person };
  };
  const asked = askedBy(1);
  const endRequest = (one: Place & { asker: Person }, auth?: string) =>
    at(one, `DELETE /join_requests/${one.asker.uid}`, auth);

  const join = ({ workspace_id }: Place, { uid }: Person, auth = basic, join_token?: string) =>
    call('POST /workspaces/join', auth, {
      ...{ workspace_id, user_id: uid },
      ...(join_token !== undefined && { join_token }),
    });
  const newLink = (one: Place, auth?: string) => at(one, 'POST /join_links', auth, {});
  const linkedBy = (authOf: (owner: Person) => string) => async () => {
    const one = await place();
    type Link = { link_id: string; token: string };
    const { body } = await world.call<Link>(newLink(one, authOf(one.owner)));
    return { ...one, ...body };
  };
  const linked = linkedBy(() => basic);
  const linkedByOwner = linkedBy(({ bearer }) => bearer);
  const manyLinks = async () => {
    const one = await place();
    for (let i = 0; i < 5; i += 1) await world.call(newLink(one));
    return one;
  };

  const guestOf = (verified: boolean) => async () => {
    const one = await place();
    return { ...one, ada: await world.invited(one, 'member', await person({ verified })) };
  };
  const withGuest = guestOf(true);
  const end = (one: Place & { ada: Person }, auth?: string) =>
    at(one, `DELETE /invitations/${one.ada.uid}`, auth);
  const resend = (one: Place & { ada: Person }, auth?: string) =>
    at(one, `POST /invitations/${one.ada.uid}/resend`, auth);
  const accept =
    (authOf: (guest: Person) => string) =>
    async ({ ada }: { ada: Person }) => {
      const token = tokenIn((await mailsTo(ada.email))[0]?.text);
      return call('POST /invitations/accept', authOf(ada), { token });
    };
  const [byProject, byGuest] = [accept(() => basic), accept(({ bearer }) => bearer)];
  const invite = (one: Place, { email }: { email: string }, auth?: string, more = {}) =>
    at(one, 'POST /invitations', auth, { email, role: 'member', ...more });
  const invite20 = (one: Place) => {
    lists += 1;
    const emails = Array.from({ length: 20 }, (_, i) => `row${i}-${lists}@example.net`);
    const invitations = emails.map((email) => ({ email, role: 'member' }));
    return at(one, 'POST /invitations', basic, { invitations });
  };
  const with20Guests = async () => {
    const one = await place();
    for (let i = 0; i < 20; i += 1) {
      const { email } = await person();
      await inviteNow(one.workspace_id, { email, role: 'member', send_mail: false });
    }
    return one;
  };

  return {
    'workspaces.setAllowedDomains': {
      'Basic, one domain': from(place, (one) => allow(one, newDomain())),
      'Basic, one for another': from(place, async (one) => {
        await world.call(allow(one, newDomain()));
        return allow(one, newDomain());
      }),
      'Bearer, one domain': from(place, (one) => allow(one, 'example.com', one.owner.bearer)),
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
        return call('GET /workspaces/invited/search', invited.bearer);
      },
    },
    'members.join': {
      Basic: from(place, async (one) => join(one, await person())),
      'Basic, invited': from(withGuest, (one) => join(one, one.ada)),
      'Basic, a member already': from(place, async (one) =>
        join(one, await world.member(one, 'member', await person())),
      ),
      'Basic, by a link': from(linked, async (one) => join(one, await person(), basic, one.token)),
      'Bearer, invited': from(withGuest, (one) => join(one, one.ada, one.ada.bearer)),
      'Bearer, by a link': from(linked, async (one) => {
        const joining = await person();
        return join(one, joining, joining.bearer, one.token);
      }),
      "Bearer, by a person's link": from(linkedByOwner, async (one) => {
        const joining = await person();
        return join(one, joining, joining.bearer, one.token);
      }),
      'Bearer, of an allowed domain': from(place, async (one) => {
        const domain = newDomain();
        await world.call(allow(one, domain));
        const colleague = await person({ email: `colleague@${domain}` });
        return join(one, colleague, colleague.bearer);
      }),
    },
    'domains.list': both(place, (one, auth) => at(one, 'GET /allowed_domains', auth)),
    'domains.set': {
      Basic: from(place, (one) => setMode(one, newDomain(), 'suggest')),
      'Basic, another mode': from(place, async (one) => {
        const domain = newDomain();
        await world.call(setMode(one, domain, 'suggest'));
        return setMode(one, domain, 'auto');
      }),
      Bearer: from(place, (one) => setMode(one, 'example.com', 'suggest', one.owner.bearer)),
    },
    'domains.prove': {
      ...both(published, prove),
      'Basic, an allowed one': from(published, async (one) => {
        await world.call(setMode(one, one.domain, 'suggest'));
        return prove(one);
      }),
      'Bearer, proven before': again(from(published, (one) => prove(one, one.owner.bearer))),
    },
    'joinRequests.create': {
      Bearer: from(asked, async (one) => {
        await world.call(endRequest(one));
        return ask(one, one.asker);
      }),
      'Bearer, repeated': from(asked, (one) => ask(one, one.asker)),
    },
    'joinRequests.list': both(
      askedBy(5),
      (one, auth) => at(one, 'GET /join_requests', auth),
      ', 5 requests',
    ),
    'joinRequests.approve': both(asked, (one, auth) =>
      at(one, `POST /join_requests/${one.asker.uid}/approve`, auth, {}),
    ),
    'joinRequests.delete': {
      ...both(asked, endRequest, ', refused'),
      'Bearer, taken back': from(asked, (one) => endRequest(one, one.asker.bearer)),
    },
    'joinLinks.create': both(place, newLink),
    'joinLinks.list': both(manyLinks, (one, auth) => at(one, 'GET /join_links', auth), ', 5 links'),
    'joinLinks.revoke': both(linked, (one, auth) =>
      at(one, `DELETE /join_links/${one.link_id}`, auth),
    ),
    'invitations.create': {
      'Basic, known e-mail': from(place, async (one) => invite(one, await person())),
      'Basic, known e-mail, without a mail': from(place, async (one) =>
        invite(one, await person(), basic, { send_mail: false }),
      ),
      'Basic, new e-mail': from(place, (one) => invite(one, { email: 'invited@example.net' })),
      'Basic, 20 new e-mails': from(place, invite20),
      'Basic, 20 e-mails again': again(from(place, invite20)),
      'Bearer, known e-mail': from(place, async (one) =>
        invite(one, await person(), one.owner.bearer),
      ),
    },
    'invitations.list': both(
      with20Guests,
      (one, auth) => at(one, 'GET /invitations', auth),
      ', 20 invitations',
    ),
    'invitations.resend': {
      ...both(withGuest, resend),
      'Bearer, invited by another member': from(place, async (one) => {
        const admin = await world.member(one, 'admin', await person());
        const ada = await person();
        await world.call(invite(one, ada, admin.bearer));
        return resend({ ...one, ada }, one.owner.bearer);
      }),
    },
    'invitations.end': {
      ...both(withGuest, end),
      'Bearer, the invitee': from(withGuest, (one) => end(one, one.ada.bearer)),
    },
    'invitations.endByEmail': both(withGuest, (one, auth) =>
      at(one, `DELETE /invitations?email=${one.ada.email}`, auth),
    ),
    'invitations.accept': {
      'Basic, proven e-mail': from(withGuest, byProject),
      'Basic, e-mail that was not proven, 1 session': from(guestOf(false), byProject),
      'Bearer, proven e-mail': from(withGuest, byGuest),
      'Bearer, e-mail that was not proven': from(guestOf(false), byGuest),
      'Bearer, a member already': again(from(withGuest, byGuest)),
    },
  } satisfies Cases;
}
