import { basic, bearer, type Client, createClient } from '../../client/client.ts';
import type { startNameServer } from '../support/name-server.ts';
import type { startOpenidProvider } from '../support/openid-provider.ts';
import type { StandIn } from '../support/provider-stand-in.ts';
import type { Siteverify } from '../support/siteverify.ts';
import type { Checks } from './checks.ts';
import type { Mailbox } from './mailbox.ts';
import type { Receiver } from './receiver.ts';

/** The deployed service, and the surroundings that the journeys need. */
export type World = {
  checks: Checks;
  /** The URL of the front door. */
  url: string;
  project: { project_id: string; secret: string };
  /** The client of the project's backend. */
  backend: Client;
  /** A client without a credential. */
  anyone: Client;
  mailbox: Mailbox;
  receiver: Receiver;
  google: Awaited<ReturnType<typeof startOpenidProvider>>;
  /** A provider to which browsers are redirected. */
  own: StandIn;
  siteverify: Siteverify;
  names: Awaited<ReturnType<typeof startNameServer>>;
};

/** A signed-in user. */
export type Person = {
  uid: string;
  email: string;
  access_token: string;
  refresh_token: string;
  client: Client;
};

type Started = {
  access_token: string;
  refresh_token: string;
  user: { uid: string; email: string };
};

export const personOf = (
  { url }: Pick<World, 'url'>,
  { access_token, refresh_token, user }: Started,
): Person => ({
  ...{ uid: user.uid, email: user.email, access_token, refresh_token },
  client: createClient(url, { authorization: bearer(access_token), retries: 0 }),
});

/** A client of the project's backend. */
export const backendOf = (url: string, project: World['project']): Client =>
  createClient(url, { authorization: basic(project.project_id, project.secret), retries: 0 });

/** Lets the backend create a user with a verified e-mail, and start a session for them. */
export async function newPerson(world: World, email: string): Promise<Person> {
  const { backend } = world;
  const { body } = await backend.users.create({ email, email_verified: true });
  const session = await backend.sessions.create({ uid: body.uid });
  return personOf(world, session.body);
}
