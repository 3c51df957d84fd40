import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type Call } from './load.ts';
import type { Project, Served } from './served.ts';

/** A person with a session and a workspace of their own, and the back end of their project. */
export type Person = {
  project_id: string;
  basic: string;
  email: string;
  password: string;
  uid: string;
  access: string;
  refresh: string;
  /** A workspace of theirs alone. */
  own: string;
  /** A workspace that all people of the project are members of. */
  shared: string;
  /** Another user of the project, whom the person lets in and removes. */
  guest: string;
};

/** An answer that is not the one that was asked for. */
class Unexpected extends Error {
  override readonly name = 'Unexpected';
}

/** Sends one request; throws `Unexpected` unless the answer has this status and the test holds of its body. */
export type Send = (call: Call, status: number, holds?: (body: Body) => unknown) => Promise<Body>;
// What is read of answers is compared at once, so a field that is missing shows.
type Body = Record<string, string> & { result?: Record<string, string>[] };

/** Whom a sender waits for, and whom it tells of each request. */
export type Watch = {
  turn: () => Promise<unknown>;
  answered: (milliseconds: number) => void;
  /** It was answered 503, is at work still, or the connection broke; it is sent again. */
  unavailable: (what: string) => void;
};

const mostTries = 8;
/** The try before it, whose answer nobody heard, holds the Idempotency-Key for some seconds. */
const atWork = '"request_in_progress"';

/**
 * Sends by these connections, each request when it may go. What is unavailable is sent again after a second, as a
 * client does: a change has an Idempotency-Key, so that it takes effect once.
 */
export function sender(url: string, agent?: Agent, watch?: Watch): Send {
  const send = async (call: Call) => {
    for (let tries = 1; ; tries += 1) {
      await watch?.turn();
      const began = performance.now();
      const answer = await ask(url, call, agent).catch((error: Error) => error);
      watch?.answered(performance.now() - began);
      const failed =
        answer instanceof Error || answer.status === 503 || answer.text.includes(atWork);
      const what = answer instanceof Error ? answer.message : `${answer.status} ${answer.text}`;
      if (failed) watch?.unavailable(`${call.method} ${call.path}: ${what}`);
      if (failed && tries < mostTries) await sleep(1_000);
      else if (answer instanceof Error) throw answer;
      else return answer;
    }
  };
  return async (call, status, holds = () => true) => {
    const answer = await send(call);
    const body = answer.status === status ? (JSON.parse(answer.text) as Body) : undefined;
    if (body && holds(body)) return body;
    throw new Unexpected(`${call.method} ${call.path}: ${answer.status} ${answer.text}`);
  };
}

const password = 'a password that is long enough';

/** Makes a person for each connection, evenly over the projects, by what people and back ends do: sign-up by mail, workspaces, members. */
export async function makePeople(
  { url, projects }: Served,
  agents: readonly Agent[],
): Promise<Person[]> {
  const count = agents.length;
  const send = sender(url, agents[0]);
  const homes = await Promise.all(projects.map((project) => makeHome(send, project)));
  const make = (number: number) => makePerson(send, homes[number % homes.length] as Home, number);
  // A function is bundled when it is first called, so the first person goes alone.
  const people = [await make(0)];
  // Eight at a time: the outbox keeps the newest 200 mails.
  for (let i = 1; i < count; i += 8)
    people.push(
      ...(await Promise.all(Array.from({ length: Math.min(8, count - i) }, (_, j) => make(i + j)))),
    );
  return people;
}

type Home = { project_id: string; basic: string; shared: string };

async function makeHome(send: Send, { project_id, secret }: Project): Promise<Home> {
  const basic = `Basic ${Buffer.from(`${project_id}:${secret}`).toString('base64')}`;
  const make = (path: string, body: unknown) =>
    send({ method: 'POST', path, authorization: basic, body }, 201);
  const { uid: owner_id } = await make('/users', { email: `owner@${project_id}.example.com` });
  const { workspace_id: shared = '' } = await make('/workspaces', { name: 'Shared', owner_id });
  return { project_id, basic, shared };
}

async function makePerson(send: Send, home: Home, number: number): Promise<Person> {
  const { project_id, basic, shared } = home;
  const email = `person-${number}@example.com`;
  const post = (path: string, body: unknown, status: number, authorization?: string) =>
    send({ method: 'POST', path, body, ...(authorization && { authorization }) }, status);
  const signUp = () => post('/sign-up', { project_id, email }, 202);
  const token = await mailedToken(send, signUp, email);
  const session = await post('/passwords', { project_id, token, password }, 201);
  const { access_token: access = '', refresh_token: refresh = '' } = session;
  const me = { method: 'GET', path: '/users/me', authorization: `Bearer ${access}` };
  const { uid = '' } = await send(me, 200);
  const { workspace_id: own = '' } = await post(
    '/workspaces',
    { name: `Of ${number}`, owner_id: uid },
    201,
    basic,
  );
  await post(`/workspaces/${shared}/users`, { user_id: uid, role: 'member' }, 201, basic);
  const { uid: guest = '' } = await post(
    '/users',
    { email: `guest-${number}@example.com`, display_name: `Guest ${number}` },
    201,
    basic,
  );
  return { project_id, basic, email, password, uid, access, refresh, own, shared, guest };
}

type Mails = { to: string; text: string }[];

/** Asks for a mail, up to three times: one of which nobody knows whether it was sent is not sent again. */
async function mailedToken(
  send: Send,
  signUp: () => Promise<unknown>,
  email: string,
): Promise<string> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    if (tries % 400 === 0) await signUp();
    const outbox = await send({ method: 'GET', path: '/_local/mail.json' }, 200);
    const mail = (outbox as unknown as Mails).find(({ to }) => to === email);
    const token = mail?.text.match(/#token=(\S+)/)?.[1];
    if (token !== undefined) return token;
    await sleep(50);
  }
  throw new Unexpected(`No mail to ${email} within a minute`);
}
