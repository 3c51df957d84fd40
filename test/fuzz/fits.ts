import type { Operation, routes } from '#shared/contract/api.ts';
import { takesKey } from '#shared/contract/key-access.ts';
import type { KnownKind } from './known.ts';

/** The standing of a user in the workspace of a scene. */
export const standings = [
  'owner',
  'admin',
  'member',
  'invited',
  'requester',
  'colleague',
  'outsider',
  'spare',
  'deleted',
] as const;
export type Standing = (typeof standings)[number];

type Fit = {
  by: readonly Caller[];
  of: readonly Standing[];
  /** The body or the query, if its fields depend on each other in a way that no schema expresses. */
  body?: Fields;
  query?: Fields;
};
type Fields = Record<string, KnownKind | { is: string }>;

const backend: Caller = { as: 'backend' };
const self: Caller = { as: 'self' };
const refresh: Caller = { as: 'refresh' };
const cookie: Caller = { as: 'cookie' };
const person = (standing: Standing): Caller => ({
  as: 'person',
  standing: standings.indexOf(standing),
});
const owner = person('owner');
const living = standings.filter((standing) => standing !== 'deleted');
/** The address to which a provider redirects users back. */
export const returnUrl = 'https://app.example.com/signed-in';
const authorization: Fields = {
  client_id: 'client_id',
  redirect_uri: 'redirect_uri',
  response_type: { is: 'code' },
  code_challenge: 'code_challenge',
  code_challenge_method: { is: 'S256' },
  scope: { is: 'openid email' },
};

/** Operations that succeed only for certain callers and about certain users. */
const exceptions: { [O in Operation]?: Partial<Fit> } = {
  'apiKeys.update': { of: ['admin'] },
  'apiKeys.revoke': { of: ['admin'] },
  'apiKeys.rotate': { of: ['admin'] },
  'apiKeys.revokeOfUser': { of: ['admin'] },
  'emails.change': { of: ['outsider', 'requester'], body: { email: 'new_email' } },
  'emails.confirm': { of: ['outsider'] },
  'factors.startTotp': { of: ['admin'], body: {} },
  'factors.confirmTotp': { of: ['admin'], body: { code: 'totp_code' } },
  'factors.deleteTotp': { of: ['requester'], body: { recovery_code: 'recovery_code' } },
  'factors.renewRecoveryCodes': { of: ['colleague'], body: { recovery_code: 'recovery_code' } },
  'factors.signIn': {
    of: ['colleague'],
    body: { project_id: 'project_id', mfa_token: 'mfa_token', recovery_code: 'recovery_code' },
  },
  'factors.startEnrolment': {
    body: { project_id: 'strict_project_id', mfa_token: 'enrol_token' },
  },
  'factors.confirmEnrolment': {
    body: { project_id: 'strict_project_id', mfa_token: 'enrol_token', code: 'enrol_code' },
  },
  'factors.reset': { of: ['invited'] },
  'identities.getToken': { of: ['member'] },
  'identities.getTokenOfUser': { of: ['member'] },
  'identities.link': { of: ['owner'] },
  'identities.unlink': { of: ['member'] },
  'invitations.accept': { by: [self], of: ['invited'] },
  'invitations.end': { by: [backend, owner, self], of: ['invited'] },
  'invitations.endByEmail': { by: [backend, owner, self], of: ['invited'] },
  'invitations.resend': { by: [backend, owner], of: ['invited'] },
  'joinRequests.approve': { by: [backend, owner], of: ['requester'] },
  'joinRequests.create': { of: ['colleague', 'requester'] },
  'joinRequests.delete': { by: [backend, owner, self], of: ['requester'] },
  'links.showCode': {
    body: { project_id: 'project_id', link_id: 'sign_in_link_id', token: 'link_token' },
  },
  'links.signIn': {
    body: {
      ...{ project_id: 'project_id', link_id: 'sign_in_link_id', token: 'link_token' },
      verifier: 'code_verifier',
    },
  },
  'members.add': { by: [backend, owner], of: ['colleague', 'outsider'] },
  'members.changeRole': { by: [backend, owner], of: ['member'] },
  'members.get': { by: [backend, owner], of: ['owner', 'admin', 'member', 'invited'] },
  'members.join': { by: [backend, self], of: ['invited', 'outsider', 'colleague'] },
  'members.remove': { by: [backend, owner, self], of: ['member'] },
  'members.suspend': { by: [backend, owner], of: ['member'] },
  'oauth.authorize': { by: [cookie], query: authorization },
  'oauth.authorizeByForm': { body: authorization },
  'oauth.logout': { by: [cookie], query: { client_id: 'client_id' } },
  'oauth.logoutByForm': { by: [cookie], body: { client_id: 'client_id' } },
  'oauth.token': {
    body: {
      grant_type: { is: 'authorization_code' },
      code: 'authorization_code',
      redirect_uri: 'redirect_uri',
      code_verifier: 'code_verifier',
      client_id: 'client_id',
    },
  },
  'ownership.accept': { of: ['admin'] },
  'ownership.end': { by: [backend, owner], of: ['admin'] },
  'ownership.offer': { by: [backend, owner], of: ['admin'] },
  'passkeys.startRegistration': { of: ['admin'], body: {} },
  'passkeys.register': { of: ['admin'], body: { credential: 'attestation' } },
  'passkeys.rename': { of: ['admin'] },
  'passkeys.delete': { of: ['admin'], body: {} },
  'passkeys.signIn': { body: { project_id: 'project_id', credential: 'assertion' } },
  'passwords.change': { of: ['owner'] },
  'passwords.set': { of: ['owner'] },
  'passwords.signIn': { of: ['owner'] },
  'providers.start': {
    query: {
      project_id: 'project_id',
      return_url: { is: returnUrl },
      code_challenge: 'code_challenge',
    },
  },
  'sessions.reauthenticate': { of: ['colleague'], body: { recovery_code: 'recovery_code' } },
  'users.delete': { by: [backend, self], of: ['spare'] },
  'users.export': { by: [backend, self] },
  'users.getDeletion': { of: ['deleted'] },
  'users.update': { by: [backend, self, self] },
  'webhooks.create': { body: { url: 'url' } },
  'webhooks.redeliver': { body: { since: 'hour_ago', until: 'now' } },
  'webhooks.update': { body: { url: 'url' } },
};

/** The callers and target users for which a request of a route succeeds. */
export function fits({ name, auth }: (typeof routes)[number]): Fit {
  const by: Caller[] = [
    ...(auth.includes('project') ? [backend] : []),
    ...(auth.includes('access') ? (auth.includes('project') ? [owner] : [self]) : []),
    ...(auth.includes('refresh') ? [refresh] : []),
    ...(auth.includes('cookie') ? [cookie] : []),
  ];
  const usual = { by: by.length > 0 ? by : [{ as: 'nobody' } as const], of: living };
  const fit = { ...usual, ...exceptions[name] };
  const keys = (['user', 'workspace'] as const).filter((kind) => takesKey({ name }, kind));
  return { ...fit, by: [...fit.by, ...keys.map((of): Caller => ({ as: 'key', of }))] };
}

/** The sender of a request. `self`: the user it is about. */
export type Caller =
  | { as: 'backend' | 'foreign backend' | 'foreigner' | 'self' | 'nobody' | 'refresh' | 'cookie' }
  | { as: 'person'; standing: number }
  /** The newest API key of the admin, or of the workspace; it may be revoked. */
  | { as: 'key'; of: 'user' | 'workspace' }
  | { as: 'header'; value: string }
  /** A valid credential with one character changed. */
  | { as: 'forger'; of: 'backend' | 'self' | 'refresh' | 'cookie' | 'key'; at: number };
