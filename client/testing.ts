/// <reference types="node" />
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { bearer, createUserClient, type UserClient } from './client.ts';
import type { Session, User } from './generated/api.ts';
import { newKey } from './send.ts';
import type { FeedEvent } from './server/follow.ts';
import { type Backend, createBackend } from './server.ts';

// The package's entry for tests against the service on this machine. It needs Node.

export type StartOptions = {
  /** The checkout of the service, in which `npm ci` has run. */
  folder: string;
  /** The projects to create, with sign-in by password, mailed code and mailed link; default `demo`. */
  projects?: readonly string[] | undefined;
  /** Origins of your pages, such as `http://localhost:5173`, that may call the service. */
  cors?: readonly string[] | undefined;
};

export type Mail = {
  message_id: string;
  received_at: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
};

export type NewUser = {
  /** Default: one that nobody has. */
  email?: string | undefined;
  display_name?: string | undefined;
};

/** A signed-in user. `api` has their operations, with an access token of ten minutes. */
export type SignedInUser = { user: User; session: Session; api: UserClient };

export type TestProject = {
  projectId: string;
  secret: string;
  /** What your backend has. */
  backend: Backend;
  /** Makes a user with a verified e-mail, or finds them by it, and starts a session. */
  signIn(user?: NewUser): Promise<SignedInUser>;
  /**
   * Waits for an event of the project and returns it; one that has already happened counts.
   * @throws Error after 10 seconds
   */
  event(matches: (event: FeedEvent) => boolean): Promise<FeedEvent>;
};

export type LocalService = {
  url: string;
  /** A project by its id; without one, the first. */
  project(projectId?: string): TestProject;
  /**
   * Waits for a mail to an address: the newest that no call has returned before.
   * @throws Error after 10 seconds
   */
  mailTo(address: string): Promise<Mail>;
  /** The six-digit code of such a mail. */
  codeTo(address: string): Promise<string>;
  /** The link of such a mail, with its token after the `#`. */
  linkTo(address: string): Promise<string>;
};

type Ready = { url: string; projects: { project_id: string; secret: string }[] };

/** Milliseconds. A cold start on a busy machine takes some seconds; mails and events come within one. */
const longestStart = 60_000;
const longestWait = 10_000;

/**
 * Starts the service with empty data at a free port. Call `stop` when the tests are over; it ends with this process, or
 * this worker thread, too.
 * @throws Error with what the service has said, if it does not start; if `folder` is no checkout of it
 */
export async function startService(
  options: StartOptions,
): Promise<LocalService & { stop(): Promise<void> }> {
  const { folder, projects = ['demo'], cors = [] } = options;
  if (!existsSync(`${folder}/local/serve.ts`))
    throw new Error(`The service in ${folder} did not start: it is no checkout of the service.`);
  const flags = ['--json', '--memory', '--port', '0'];
  for (const id of projects) flags.push('--project', id);
  for (const origin of cors) flags.push('--cors', origin);
  // This has the other end of its standard input, which the system closes however this ends: also a worker thread, and
  // after SIGKILL.
  const env = { ...process.env, END_WITH_STDIN: '1' };
  const child = spawn('npm', ['start', '-s', '--', ...flags], { cwd: folder, env });
  const errorOutput: string[] = [];
  child.stderr.on('data', (text) => errorOutput.push(String(text)));
  const exit = once(child, 'close');
  const kill = () => void child.kill();
  // A service of version 0.17.0 or before does not look at its input.
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    kill();
    await exit;
  };
  const timer = setTimeout(kill, longestStart);
  try {
    const firstLine = once(createInterface(child.stdout), 'line') as Promise<[string]>;
    const [line] = (await Promise.race([firstLine, exit])) as [unknown];
    if (typeof line !== 'string') throw new Error(`it ended: ${errorOutput.join('').trim()}`);
    const { url, projects: credentials } = JSON.parse(line) as Ready;
    return { ...serviceAt(url, credentials), stop };
  } catch (cause) {
    await stop().catch(() => {});
    throw new Error(`The service in ${folder} did not start: ${(cause as Error).message}`, {
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** The service that runs on this machine already, as by `npm start`, with its first project. */
export async function connectToService(address = 'http://localhost:3000'): Promise<LocalService> {
  const url = address.replace(/\/+$/, '');
  const answer = await fetch(`${url}/_local/credential`);
  const [project_id = '', secret] = (await answer.text()).trim().split(':');
  if (!answer.ok || secret === undefined)
    throw new Error(`At ${url} there is no local service: it answered ${answer.status}.`);
  return serviceAt(url, [{ project_id, secret }]);
}

function serviceAt(url: string, credentials: Ready['projects']): LocalService {
  const returnedIds = new Set<string>();
  /** What `find` takes of the newest mail that has it. */
  const waitForMail = async <T>(
    address: string,
    kind: string,
    find: (mail: Mail) => T | undefined,
  ): Promise<T> => {
    for (const end = Date.now() + longestWait; Date.now() < end; await pause(50)) {
      const mails = (await (await fetch(`${url}/_local/mail.json`)).json()) as Mail[];
      const candidates = mails.filter(
        ({ to, message_id }) => to === address && !returnedIds.has(message_id),
      );
      for (const [index, mail] of candidates.entries()) {
        const content = find(mail);
        if (content === undefined) continue;
        // Older mails are outdated: they have another code, or a link that this one has replaced.
        for (const { message_id } of candidates.slice(index)) returnedIds.add(message_id);
        return content;
      }
    }
    throw new Error(`No ${kind} was mailed to ${address} within ${longestWait / 1_000} s.`);
  };
  const testProjects = credentials.map(({ project_id, secret }) =>
    testProject(url, project_id, secret),
  );
  return {
    url,
    project(projectId = testProjects[0]?.projectId) {
      const project = testProjects.find((each) => each.projectId === projectId);
      if (!project) throw new Error(`The service was not started with a project '${projectId}'.`);
      return project;
    },
    mailTo: (address) => waitForMail(address, 'message', (mail) => mail),
    codeTo: (address) => waitForMail(address, 'code', ({ text }) => /^\d{6}$/m.exec(text)?.[0]),
    linkTo: (address) =>
      waitForMail(address, 'link', ({ text }) => /https?:\S+#(?:token|join)=\S+/.exec(text)?.[0]),
  };
}

function testProject(url: string, projectId: string, secret: string): TestProject {
  const backend = createBackend({ url, projectId, secret });
  return {
    projectId,
    secret,
    backend,
    async signIn({ email = `user-${newKey()}@example.com`, display_name } = {}) {
      const { users, sessions } = backend.api;
      const { body: user } = await users.create({ email, email_verified: true, display_name });
      const { body: session } = await sessions.create({ uid: user.uid });
      const api = createUserClient(url, { authorization: bearer(session.access_token) });
      return { user, session, api };
    },
    async event(matches) {
      const signal = AbortSignal.timeout(longestWait);
      const cursor = { load: async () => undefined };
      for await (const { events } of backend.events.follow({ cursor, signal, interval: 100 })) {
        const found = events.find((event) => matches(event));
        if (found) return found;
      }
      throw new Error(`No such event within ${longestWait / 1_000} s.`);
    },
  };
}

const pause = (milliseconds: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
