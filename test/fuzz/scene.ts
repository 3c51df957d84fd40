import { randomUUID } from 'node:crypto';
import { basic, claimsOf } from '../model/tokens.ts';
import { type Authenticator, newAuthenticator } from '../support/authenticator.ts';
import { newApp } from '../support/factors.ts';
import { type Standing, standings } from './fits.ts';
import type { Target } from './target.ts';

export type Session = { access: string; refresh: string };

/** A user of a scene, with the values that a request about them may need. */
export type Someone = {
  standing: Standing;
  uid: string;
  email: string;
  /** Never ended, so that the user can keep sending requests. */
  session: Session;
  /** A session to end, refresh and sign out. */
  other: Session;
  password: string;
  /** The newest token of a mail to them. */
  mailToken?: string;
};

/** A workspace and users in every standing. */
export type Scene = {
  number: number;
  /** Loopback address of its people. */
  address: string;
  domain: string;
  people: Record<Standing, Someone>;
  workspace_id: string;
  /** Another workspace of the owner, which comes and goes. */
  spare_id: string;
  link_id: string;
  join_token: string;
  invitation_token: string;
  webhook_id: string;
  event_id: string;
  /** An additional passkey of its admin, with its last challenges. */
  authenticator: Authenticator;
  creation?: Parameters<Authenticator['create']>[0];
  request?: Parameters<Authenticator['get']>[0];
  passkey_id: string;
  /**
   * The secret of its admin's enrolment; the recovery codes of users with a second factor; and the token of the last
   * first step.
   */
  totp_secret: string;
  recovery_codes: Map<string, string[]>;
  mfa_token: string;
  /** The token of a sign-in to a project that requires a second factor, and the secret of the enrolment in it. */
  enrol_token: string;
  enrol_secret: string;
  /** An API key of its admin, and one of the workspace, with their texts. */
  key_id: string;
  key: string;
  workspace_key_id: string;
  workspace_key: string;
  /** The challenges of requested codes by e-mail, until the codes are mailed. */
  challenges: Map<string, string>;
  code: { challenge_id: string; code: string } | undefined;
  /** The newest sign-in link that was mailed to one of its people. */
  link: { link_id: string; token: string } | undefined;
  /** The newest code of /authorize, and a file of the hosted pages. */
  authorization_code: string;
  /** Of the newest session of the OAuth client. */
  refresh_token: string;
  id_token_hint: string;
  asset: string;
  /** Of the lists and feeds that were read last. */
  cursor: string;
  feed_cursor: string;
};

export type Call = (method: string, path: string, auth: string, body?: object) => Promise<Made>;
/** An untyped response. */
type Made = ReturnType<typeof JSON.parse>;

export const goodPassword = 'correct horse battery staple';

/** Creates a scene with requests that a backend and users would send; `call` throws if one fails. */
export async function makeScene(number: number, target: Target, call: Call): Promise<Scene> {
  const backend = basic(target.projects[0]);
  const domain = `scene${number}.example.org`;
  const person = async (standing: Standing): Promise<Someone> => {
    const email = `${standing}@${domain}`;
    const made = await call('POST', '/users', backend, {
      email,
      email_verified: standing !== 'outsider',
    });
    const start = async () =>
      sessionOf(await call('POST', '/sessions', backend, { uid: made.uid }));
    return {
      standing,
      uid: made.uid,
      email,
      session: await start(),
      other: await start(),
      password: '',
    };
  };
  // Sequential, so that a late call leaves nothing running during the next scene.
  const everybody: Someone[] = [];
  for (const standing of standings) everybody.push(await person(standing));
  const people = Object.fromEntries(
    everybody.map((each) => [each.standing, each]),
  ) as Scene['people'];
  const { owner, admin, member, invited, requester, colleague, deleted } = people;
  const factors = '/users/me/factors';
  const workspace = await call('POST', '/workspaces', backend, {
    name: 'Fuzz',
    owner_id: owner.uid,
  });
  const spare = await call('POST', '/workspaces', backend, { name: 'Spare', owner_id: owner.uid });
  const { workspace_id } = workspace;
  const at = `/workspaces/${workspace_id}`;
  await call('PUT', `${at}/allowed_domains/${domain}`, backend, { mode: 'suggest' });
  await call('POST', `${at}/users`, backend, { user_id: admin.uid, role: 'admin' });
  await call('POST', `${at}/users`, backend, { user_id: member.uid, role: 'member' });
  const offer = { email: invited.email, role: 'member', send_mail: false };
  const invitation = await call('POST', `${at}/invitations`, backend, offer);
  const link = await call('POST', `${at}/join_links`, backend, {});
  await call('POST', `${at}/join_requests`, bearer(requester.session), {});
  const { key_id, key } = await call('POST', '/users/me/api_keys', bearer(admin.session), {
    name: 'CI',
  });
  const ofWorkspace = await call('POST', `${at}/api_keys`, backend, { name: 'CI', role: 'admin' });
  await call('PUT', `${at}/roles/ws-editor`, backend, { permissions: [] });
  const passkeys = '/users/me/passkeys';
  const { publicKey } = await call('POST', `${passkeys}/options`, bearer(admin.session), {});
  const { origin } = new URL(target.url);
  const credential = newAuthenticator(origin).create(publicKey);
  const { passkey_id } = await call('POST', passkeys, bearer(admin.session), { credential });
  const account = ({ uid: sub, email }: Someone) => ({
    provider: 'google',
    id_token: target.idToken({ sub, email }),
  });
  for (const each of [member, colleague])
    await call('POST', '/users/me/identities', bearer(each.session), account(each));
  const recovery_codes = new Map<string, string[]>();
  for (const { uid, session } of [requester, colleague, invited]) {
    const { secret } = await call('POST', `${factors}/totp`, bearer(session), {});
    const confirmed = await call('POST', `${factors}/totp/confirm`, bearer(session), {
      code: newApp(secret).code(),
    });
    recovery_codes.set(uid, confirmed.recovery_codes);
  }
  const { project_id } = target.projects[0];
  const first = { project_id, ...account(colleague) };
  const { mfa_token } = await call('POST', '/sessions/identity', backend, first);
  const { project_id: strict } = target.strict;
  const newcomer = account({ ...colleague, email: `${colleague.uid}@enrol.example.org` });
  const waiting = { project_id: strict, ...newcomer };
  const { mfa_token: enrol_token } = await call('POST', '/sessions/identity', backend, waiting);
  const enrolling = { project_id: strict, mfa_token: enrol_token };
  const { secret: enrol_secret } = await call('POST', '/sessions/mfa/totp', backend, enrolling);
  await call('DELETE', `/users/${deleted.uid}`, backend);
  await call('DELETE', `/workspaces/${spare.workspace_id}`, backend);
  await call('POST', `${at}/ownership`, bearer(owner.session), { user_id: admin.uid });
  target.publish(workspace_id, domain);
  return {
    number,
    address: `127.0.${number % 250}.${1 + (Math.floor(number / 250) % 250)}`,
    domain,
    people,
    workspace_id,
    spare_id: spare.workspace_id,
    link_id: link.link_id,
    join_token: link.token,
    invitation_token: tokenOf(invitation.link),
    webhook_id: `whk-${randomUUID()}`,
    event_id: `evt-${randomUUID()}`,
    authenticator: newAuthenticator(origin),
    ...{
      passkey_id,
      ...{ key_id, key, workspace_key_id: ofWorkspace.key_id, workspace_key: ofWorkspace.key },
      recovery_codes,
      mfa_token,
      enrol_token,
      enrol_secret,
    },
    totp_secret: '',
    challenges: new Map(),
    code: undefined,
    link: undefined,
    authorization_code: randomUUID(),
    refresh_token: people.owner.other.refresh,
    id_token_hint: people.owner.session.access,
    asset: 'main.AAAAAAAA.js',
    cursor: '',
    feed_cursor: '0',
  };
}

/** Sends the mails that a scene needs, and waits for them. */
export async function readMails(scenes: readonly Scene[], { mails }: Target): Promise<void> {
  const people = new Map(
    scenes.flatMap((scene) =>
      Object.values(scene.people).map((each) => [each.email, each] as const),
    ),
  );
  // Oldest first, so that the newest one wins.
  for (const { to, text } of (await mails()).toReversed()) {
    const [, token, link_id, code] =
      /#token=([\w-]{43})\b(?!\.)(?:&link_id=(\S+))?|^(\d{6})$/m.exec(text) ?? [];
    const whose = people.get(to);
    if (token !== undefined && link_id !== undefined) {
      for (const scene of scenes)
        if (Object.values(scene.people).some(({ email }) => email === to))
          scene.link = { link_id, token };
    } else if (token !== undefined && whose) whose.mailToken = token;
    for (const scene of scenes) {
      const challenge_id = scene.challenges.get(to);
      if (code !== undefined && challenge_id !== undefined) scene.code = { challenge_id, code };
    }
  }
}

/** The token in the fragment of a link. */
export const tokenOf = (link: unknown): string => /#token=(.+)$/.exec(String(link))?.[1] ?? '';

/** The session in a response that starts one. */
export const sessionOf = (answer: { access_token: string; refresh_token: string }): Session => ({
  access: answer.access_token,
  refresh: answer.refresh_token,
});

export const bearer = ({ access }: Session): string => `Bearer ${access}`;

/** The session of an access token. */
export const sessionIdOf = ({ access }: Session): string => claimsOf(access).sid;
