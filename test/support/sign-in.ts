import type { Mail } from '../../local/aws/ses.ts';
import { newSecret, sha256 } from '../../shared/model/ids.ts';
import type { Person, TestProject, World } from './world.ts';

export const goodPassword = 'correct horse battery staple';

/** The response of every sign-in, as far as tests use it. */
export type Started = Pick<Person, 'uid' | 'access_token' | 'refresh_token' | 'user'> & {
  user_created: boolean;
};

export type SignIn = Awaited<ReturnType<typeof signInProject>>;

/** A project with every sign-in method, and its users' actions, over real HTTP and real mail. */
export async function signInProject(world: World, settings: object = {}) {
  const project: TestProject = await world.newProject({
    password_sign_in: true,
    code_sign_in: true,
    link_sign_in: true,
    sign_up: true,
    ...settings,
  });
  const { project_id } = project;
  const post = <T = unknown>(path: string, body: object, auth?: string) =>
    world.call<T>({ method: 'POST', path, body: { project_id, ...body }, auth });

  /** The newest mail to an address, after all requested mails have been sent. */
  async function mailTo(email: string): Promise<Mail | undefined> {
    await world.drainStream();
    return world.mails().find(({ to }) => to === email);
  }

  /** The newest token or code mailed to an address; newer mails may be notices without one. */
  async function mailed(email: string): Promise<string> {
    await world.drainStream();
    const texts = world.mails().flatMap(({ to, text }) => (to === email ? [text] : []));
    for (const text of texts) {
      const [, token, code] = /#token=([\w-]{43})|^(\d{6})$/m.exec(text) ?? [];
      const found = token ?? code;
      if (found !== undefined) return found;
    }
    throw new Error(`Nothing was mailed to ${email}.`);
  }

  /** The subjects of all mails to an address. */
  async function subjectsTo(email: string): Promise<string[]> {
    await world.drainStream();
    return world.mails().flatMap(({ to, subject }) => (to === email ? [subject] : []));
  }

  function person({ uid, access_token, refresh_token, user }: Started): Person {
    const bearer = `Bearer ${access_token}`;
    return { uid, email: user.email, access_token, refresh_token, bearer, user, project };
  }

  async function started(answer: Promise<{ status: number; body: Started }>): Promise<Person> {
    const { status, body } = await answer;
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    return person(body);
  }

  return {
    project,
    project_id,
    post,
    person,
    mailTo,
    mailed,
    subjectsTo,
    /** A user whose e-mail the backend has vouched for. */
    newUser: (given: object = {}): Promise<Person> =>
      world.user({ project, verified: true, ...given }),
    /** Signs up by mail and password. */
    async signUp(email: string, password = goodPassword, profile: object = {}): Promise<Person> {
      await post('/sign-up', { email });
      const token = await mailed(email);
      return started(post<Started>('/passwords', { token, password, ...profile }));
    },
    /** Signs in by password. */
    signIn: (email: string, password = goodPassword) =>
      started(post<Started>('/sessions/password', { email, password })),
    /** Requests a code and reads it from the mail. */
    async code(email: string): Promise<{ challenge_id: string; code: string }> {
      const { body } = await post<{ challenge_id: string }>('/codes', { email });
      return { challenge_id: body.challenge_id, code: await mailed(email) };
    },
    /** Requests a sign-in link, as a browser does, and reads its token from the mail. */
    async link(email: string): Promise<{ link_id: string; verifier: string; token: string }> {
      const verifier = newSecret();
      const asked = { email, challenge: sha256(verifier) };
      const { body } = await post<{ link_id: string }>('/links', asked);
      return { link_id: body.link_id, verifier, token: await mailed(email) };
    },
    /** Signs in by a mailed code. */
    async signInByCode(email: string, profile: object = {}): Promise<Person> {
      const { body } = await post<{ challenge_id: string }>('/codes', { email });
      const proof = { challenge_id: body.challenge_id, code: await mailed(email) };
      return started(post<Started>('/sessions/code', { ...proof, ...profile }));
    },
  };
}
