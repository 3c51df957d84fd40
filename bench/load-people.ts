import { setTimeout as sleep } from 'node:timers/promises';
import { basic, bearer } from '../client/client.ts';
import { type Answer, type Api, apiOf, type Call, type Fields, inBatches } from './http.ts';
import type { Project } from './service-process.ts';

export type Sender = (call: Call) => Promise<Answer>;

/** A user with a connection, a session and their own workspace, and the backend of their project. */
export type Person = {
  send: Sender;
  /** The API without a credential, with the user's access token, and with their project's secret. */
  anyone: Api;
  me: Api;
  backend: Api;
  tokens: Fields;
  project_id: string;
  email: string;
  uid: string;
  /** A workspace with only this user. */
  own: string;
  /** A workspace of which all users of the project are members. */
  shared: string;
  /** Another user of the project, whom this user adds and removes. */
  guest: string;
};

export const password = 'a password that is long enough';

/** The API with the access token of a started or refreshed session. */
export const signedIn = (send: Sender, tokens: Fields) => ({
  tokens,
  me: apiOf(send, bearer(tokens['access_token'] ?? '')),
});

type Home = { project_id: string; authorization: string; shared: string };

/** Creates a user for each connection, evenly over the projects, through the API. */
export async function makePeople(projects: Project[], senders: Sender[]): Promise<Person[]> {
  const [first] = senders as [Sender];
  const homes = await inBatches(projects, async ({ project_id, secret }): Promise<Home> => {
    const authorization = basic(project_id, secret);
    const backend = apiOf(first, authorization);
    const owner = await backend('POST', '/users', { email: `owner@${project_id}.example.com` });
    const workspace = { name: 'Shared', owner_id: owner['uid'] };
    const { workspace_id: shared = '' } = await backend('POST', '/workspaces', workspace);
    return { project_id, authorization, shared };
  });

  const make = async (send: Sender, number: number): Promise<Person> => {
    const { project_id, authorization, shared } = homes[number % homes.length] as Home;
    const anyone = apiOf(send);
    const backend = apiOf(send, authorization);
    const email = `person-${number}@example.com`;
    const token = await signUp(anyone, project_id, email);
    const tokens = await anyone('POST', '/passwords', { project_id, token, password });
    const { me } = signedIn(send, tokens);
    const { uid = '' } = tokens;
    const workspace = { name: `Of ${number}`, owner_id: uid };
    const { workspace_id: own = '' } = await backend('POST', '/workspaces', workspace);
    await backend('POST', `/workspaces/${shared}/users`, { user_id: uid, role: 'member' });
    const { uid: guest = '' } = await backend('POST', '/users', {
      email: `guest-${number}@example.com`,
      display_name: `Guest ${number}`,
    });
    return { send, anyone, me, backend, tokens, project_id, email, uid, own, shared, guest };
  };
  // Functions are bundled on their first call, so the first user is created alone.
  const people = [await make(first, 0)];
  // The outbox keeps only the newest 200 mails, so not all at once.
  people.push(...(await inBatches(senders.slice(1), (send, i) => make(send, i + 1))));
  return people;
}

/**
 * Reads the token from the mail. Requests it up to three times, because a mail of unknown outcome is not sent again.
 */
async function signUp(anyone: Api, project_id: string, email: string): Promise<string> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    if (tries % 400 === 0) await anyone('POST', '/sign-up', { project_id, email }, 202);
    const mails = (await anyone('GET', '/_local/mail.json')) as unknown as Fields[];
    const mail = mails.find(({ to }) => to === email);
    const token = mail?.['text']?.match(/#token=(\S+)/)?.[1];
    if (token !== undefined) return token;
    await sleep(50);
  }
  throw new Error(`No mail to ${email} within a minute`);
}
