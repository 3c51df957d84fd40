import type { Schema } from '../contract/samples.ts';

/** A placeholder for a value of the service under test, filled in when the request is sent. */
export class Known {
  readonly kind: KnownKind;

  constructor(kind: KnownKind) {
    this.kind = kind;
  }

  toString(): string {
    return `{${this.kind}}`;
  }
}

export type KnownKind =
  | 'access_token'
  | 'assertion'
  | 'asset'
  | 'attestation'
  | 'authorization_code'
  | 'challenge_id'
  | 'client_id'
  | 'code'
  | 'code_challenge'
  | 'code_verifier'
  | 'cursor'
  | 'domain'
  | 'email'
  | 'enrol_code'
  | 'enrol_token'
  | 'event_id'
  | 'feed_cursor'
  | 'grant_type'
  | 'hour_ago'
  | 'id_token'
  | 'id_token_hint'
  | 'invitation_token'
  | 'key_id'
  | 'link_token'
  | 'join_token'
  | 'link_id'
  | 'mail_token'
  | 'mfa_token'
  | 'new_email'
  | 'now'
  | 'passkey_id'
  | 'password'
  | 'project_id'
  | 'provider'
  | 'recovery_code'
  | 'redirect_uri'
  | 'refresh_token'
  | 'session_id'
  | 'sign_in_link_id'
  | 'strict_project_id'
  | 'totp_code'
  | 'uid'
  | 'url'
  | 'webhook_id'
  | 'workspace_id';

const kinds: Record<string, KnownKind> = {
  accessToken: 'access_token',
  after: 'feed_cursor',
  allowed_domains: 'domain',
  challenge: 'code_challenge',
  challenge_id: 'challenge_id',
  client_id: 'client_id',
  code: 'code',
  code_challenge: 'code_challenge',
  code_verifier: 'code_verifier',
  current_password: 'password',
  cursor: 'cursor',
  domain: 'domain',
  email: 'email',
  event_id: 'event_id',
  file: 'asset',
  grant_type: 'grant_type',
  id_token: 'id_token',
  id_token_hint: 'id_token_hint',
  join_token: 'join_token',
  key_id: 'key_id',
  link_id: 'link_id',
  owner_id: 'uid',
  mfa_token: 'mfa_token',
  passkey_id: 'passkey_id',
  recovery_code: 'recovery_code',
  password: 'password',
  project_id: 'project_id',
  provider: 'provider',
  redirect_uri: 'redirect_uri',
  refresh_token: 'refresh_token',
  session_id: 'session_id',
  uid: 'uid',
  uids: 'uid',
  url: 'url',
  user_id: 'uid',
  verifier: 'code_verifier',
  webhook_id: 'webhook_id',
  workspace_id: 'workspace_id',
};

/** The placeholder for a field, by its name and format. */
export function kindOf(name: string, { pattern = '' }: Schema): KnownKind | undefined {
  // Two kinds of token share one name.
  if (name === 'token') return pattern.includes('.') ? 'invitation_token' : 'mail_token';
  return kinds[name];
}
