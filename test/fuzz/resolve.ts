import { createHash, randomUUID } from 'node:crypto';
import { routes } from '#shared/contract/api.ts';
import { isForOwnPages, type Route } from '#shared/contract/route.ts';
import { basic } from '../model/tokens.ts';
import { newApp } from '../support/factors.ts';
import type { Draft } from './drafts.ts';
import { type Caller, standings } from './fits.ts';
import { Known, type KnownKind } from './known.ts';
import { bearer, goodPassword, type Scene, type Someone, sessionIdOf } from './scene.ts';
import type { Request } from './send.ts';
import { clientOf, type Target } from './target.ts';

/** Chooses the users and resources of a request when it is sent. */
export type Sent = { request: Request; scene: Scene; subject: Someone; body: unknown };

/** Characters. Over 10,240 the gateway responds 431; far above that Node does, and closes the connection. */
const maxPath = 16_000;

/** Fills the placeholders of a draft. */
export function resolve(draft: Draft, scene: Scene, elsewhere: Scene, target: Target): Sent {
  const subject = scene.people[standings[draft.subject] ?? 'owner'];
  const fill = (value: unknown): unknown => {
    if (value instanceof Known) return know(value.kind, { draft, scene, subject, target });
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fill(part)]));
  };
  const params = fill(draft.params) as Record<string, unknown>;
  const query = fill(draft.query) as Record<string, unknown>;
  const body = fill(draft.body);
  const path = draft.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(params[name]));
  const search = searchOf(query);
  const route = routes.find(({ name }) => name === draft.operation) as Route;
  const isForm = route.accepts === 'form';
  const written = isForm ? searchOf(asFields(body)) : JSON.stringify(body);
  const sent = draft.raw ?? (body === undefined ? undefined : written);
  const credential = credentialOf(draft.caller, { draft, scene, subject, elsewhere, target });
  return {
    scene,
    subject,
    body,
    request: {
      method: draft.method,
      path: `${path}${search === '' ? '' : `?${search}`}${draft.tail}`.slice(0, maxPath),
      headers: {
        ...credential,
        // The browser's headers of requests of our own pages.
        ...(isForOwnPages(route) && { 'sec-fetch-site': 'same-origin' }),
        ...(sent !== undefined && {
          'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
        }),
        ...draft.headers,
      },
      ...(sent !== undefined && { body: sent }),
      from: scene.address,
    },
  };
}

/** Percent-encoded; lone surrogates cannot be encoded. */
const encoded = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed());
};

const searchOf = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&');

const asFields = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? { ...body } : { [String(body)]: '' };

type About = { draft: Draft; scene: Scene; subject: Someone; target: Target };

function know(kind: KnownKind, { draft, scene, subject, target }: About): unknown {
  const { operation } = draft;
  const { authenticator, creation, request } = scene;
  switch (kind) {
    case 'access_token':
      return subject.other.access;
    case 'assertion':
      return request ? authenticator.get(request) : {};
    case 'attestation':
      return creation ? authenticator.create(creation) : {};
    case 'totp_code':
      return newApp(scene.totp_secret).code();
    case 'enrol_code':
      return newApp(scene.enrol_secret).code();
    case 'recovery_code':
      return scene.recovery_codes.get(subject.uid)?.pop() ?? '00000-00000';
    case 'client_id':
      return clientOf(target.projects[0]).client_id;
    case 'redirect_uri':
      return clientOf(target.projects[0]).redirect_uri;
    case 'code_verifier':
      return codeVerifier;
    case 'code_challenge':
      return codeChallenge;
    case 'sign_in_link_id':
      return scene.link?.link_id ?? randomUUID();
    case 'link_token':
      return scene.link?.token ?? 'x'.repeat(43);
    case 'challenge_id':
      return scene.code?.challenge_id ?? randomUUID();
    case 'code':
      return scene.code?.code ?? '000000';
    case 'domain':
      return scene.domain;
    case 'email':
      return subject.email;
    // The grant of an authorization code has a separate request.
    case 'grant_type':
      return 'refresh_token';
    case 'hour_ago':
      return new Date(Date.now() - 3_600_000).toISOString();
    case 'id_token':
      return target.idToken({ sub: subject.uid, email: subject.email });
    case 'mail_token':
      return subject.mailToken ?? randomUUID().padEnd(43, 'x').slice(0, 43);
    case 'new_email':
      return `new${randomUUID().slice(0, 8)}@${scene.domain}`;
    case 'now':
      return new Date().toISOString();
    case 'provider':
      return 'google';
    case 'password':
      return subject.password || goodPassword;
    case 'project_id':
      return target.projects[0].project_id;
    case 'strict_project_id':
      return target.strict.project_id;
    case 'session_id':
      return sessionIdOf(subject.other);
    case 'key_id':
      return operation.startsWith('workspaceKeys.') ? scene.workspace_key_id : scene.key_id;
    case 'uid':
      return operation === 'workspaces.create' ? scene.people.owner.uid : subject.uid;
    case 'url':
      return target.receiver;
    case 'workspace_id':
      return /^workspaces\.(?:delete|restore)$/.test(operation)
        ? scene.spare_id
        : scene.workspace_id;
    case 'asset':
    case 'authorization_code':
    case 'cursor':
    case 'enrol_token':
    case 'event_id':
    case 'feed_cursor':
    case 'id_token_hint':
    case 'invitation_token':
    case 'join_token':
    case 'link_id':
    case 'mfa_token':
    case 'passkey_id':
    case 'refresh_token':
    case 'webhook_id':
      return scene[kind];
  }
}

/** The verifier of every authorization request (PKCE). */
const codeVerifier = 'v'.repeat(43);
export const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');

type Headers = Record<string, string>;

/** The credential header of a request. */
function credentialOf(caller: Caller, about: About & { elsewhere: Scene }): Headers {
  const { subject, target } = about;
  const name = `session-${target.projects[0].project_id}`;
  if (caller.as === 'cookie') return { cookie: `${name}=${subject.other.refresh}` };
  if (caller.as === 'forger' && caller.of === 'cookie')
    return { cookie: `${name}=${changed(subject.other.refresh, caller.at)}` };
  const authorization = authorizationOf(caller, about);
  return authorization === undefined ? {} : { authorization };
}

/** The same with one character changed. */
function changed(text: string, which: number): string {
  const at = which % Math.max(text.length, 1);
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}

function authorizationOf(caller: Caller, about: About & { elsewhere: Scene }): string | undefined {
  const { draft, scene, subject, elsewhere, target } = about;
  const [ours, theirs] = target.projects;
  switch (caller.as) {
    case 'nobody':
    case 'cookie':
      return undefined;
    case 'header':
      return caller.value;
    case 'backend':
      return basic(ours);
    case 'foreign backend':
      return basic(theirs);
    case 'foreigner':
      return bearer(elsewhere.people.owner.session);
    case 'person':
      return bearer(scene.people[standings[caller.standing] ?? 'owner'].session);
    case 'self':
      // A user who signs out keeps sending requests with another session.
      return bearer(draft.operation === 'sessions.signOut' ? subject.other : subject.session);
    case 'refresh':
      return `Bearer ${subject.other.refresh}`;
    case 'key':
      return `Bearer ${caller.of === 'user' ? scene.key : scene.workspace_key}`;
    case 'forger': {
      const of =
        caller.of === 'key' ? ({ as: 'key', of: 'workspace' } as const) : { as: caller.of };
      const good = authorizationOf(of, about) ?? '';
      return good.slice(0, 6) + changed(good.slice(6), caller.at);
    }
  }
}
