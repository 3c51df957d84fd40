// Made of the contract by `npm run openapi`. Do not edit.

import type { Call } from '../call.ts';

/** A page of a list. */
export type Paged<T> = {
  /** Total number of results. */
  total: number;
  /** Number of results in this page. */
  count: number;
  result: T[];
};

/** A page of a list that is not counted to its end. */
export type PagedAtLeast<T> = {
  /** Total number of results. */
  total: number;
  /** Number of results in this page. */
  count: number;
  result: T[];
  /** True if there are more than `total` says: they were not read. */
  total_is_at_least?: boolean;
};

export type SessionsCreateRequest = {
  /** Id of a user: a UUID, always returned in lower case. */
  uid: string;
  /** The person who acts as the user, and the reason; only if the project allows it (`impersonation`). Without `actor`, it is a session of the user. */
  actor?: {
    /** Such as the e-mail of a supporter. */
    id: string;
    /** Such as the number of a ticket. */
    reason: string;
  } | undefined;
};

export type SessionsRefreshRequest = {
  /** The current access token; it may have expired. */
  accessToken: string;
};

export type SessionsSelectWorkspaceRequest = {
  /** A workspace that the caller is a member of; null for none. */
  workspace_id: (string | null);
};

export type SessionsReauthenticateRequest = {
  password?: string | undefined;
  /** A code of the authenticator app. Each code is valid once. */
  code?: string | undefined;
  /** A recovery code. Each code is valid once. */
  recovery_code?: string | undefined;
  /** What `credential.toJSON()` returns after `navigator.credentials.get`. */
  passkey?: {
    id: string;
    rawId: string;
    type: "public-key";
    response: {
      clientDataJSON: string;
      authenticatorData: string;
      signature: string;
      userHandle?: (string | null) | undefined;
    };
  } | undefined;
};

export type SessionsIntrospectRequest = {
  /** An access token. For any other text the response is `"active": false`. */
  token: string;
};

export type PasswordsSignUpRequest = {
  /** Id of a project. */
  project_id: string;
  email: string;
  /** The token of the captcha, if the project requires a captcha. It is valid once. */
  captcha_token?: string | undefined;
};

export type PasswordsSignInRequest = {
  /** Id of a project. */
  project_id: string;
  email: string;
  password: string;
  /** The device token of an earlier sign-in on this device. It does not sign the user in. */
  device_token?: string | undefined;
  /** The token of the captcha, if the project requires a captcha. It is valid once. */
  captcha_token?: string | undefined;
};

export type PasswordsForgotRequest = {
  /** Id of a project. */
  project_id: string;
  email: string;
  /** The token of the captcha, if the project requires a captcha. It is valid once. */
  captcha_token?: string | undefined;
};

export type PasswordsSetRequest = {
  /** Id of a project. */
  project_id: string;
  /** From the link's fragment: #token=... */
  token: string;
  /** At least 15 characters, unless the project sets another minimum. */
  password: string;
  /** What the user agrees to; the time of the request is stored. */
  agreed_terms?: {
    tos?: true | undefined;
    sign_up?: true | undefined;
  } | undefined;
  display_name?: string | undefined;
  preferred_username?: string | undefined;
  profile_url?: string | undefined;
  thumbnail_url?: string | undefined;
  /** Replaced as a whole; an omitted part becomes empty. */
  name?: {
    given_name?: string | undefined;
    family_name?: string | undefined;
    formatted?: string | undefined;
  } | undefined;
  about_me?: string | undefined;
  current_location?: string | undefined;
  photos?: ({
    value: string;
    type?: string | undefined;
    primary?: boolean | undefined;
    display?: string | undefined;
  })[] | undefined;
  urls?: ({
    value: string;
    type?: string | undefined;
    primary?: boolean | undefined;
    display?: string | undefined;
  })[] | undefined;
  /** The device token of an earlier sign-in on this device. It does not sign the user in. */
  device_token?: string | undefined;
};

export type PasswordsChangeRequest = {
  current_password: string;
  /** At least 15 characters, unless the project sets another minimum. */
  new_password: string;
};

export type CodesStartRequest = {
  /** Id of a project. */
  project_id: string;
  email: string;
  /** The token of the captcha, if the project requires a captcha. It is valid once. */
  captcha_token?: string | undefined;
};

export type CodesVerifyRequest = {
  /** Id of a project. */
  project_id: string;
  /** Identifies the mailed code; returned to the client that requested the mail. */
  challenge_id: string;
  code: string;
  /** What the user agrees to; the time of the request is stored. */
  agreed_terms?: {
    tos?: true | undefined;
    sign_up?: true | undefined;
  } | undefined;
  display_name?: string | undefined;
  preferred_username?: string | undefined;
  profile_url?: string | undefined;
  thumbnail_url?: string | undefined;
  /** Replaced as a whole; an omitted part becomes empty. */
  name?: {
    given_name?: string | undefined;
    family_name?: string | undefined;
    formatted?: string | undefined;
  } | undefined;
  about_me?: string | undefined;
  current_location?: string | undefined;
  photos?: ({
    value: string;
    type?: string | undefined;
    primary?: boolean | undefined;
    display?: string | undefined;
  })[] | undefined;
  urls?: ({
    value: string;
    type?: string | undefined;
    primary?: boolean | undefined;
    display?: string | undefined;
  })[] | undefined;
  /** The device token of an earlier sign-in on this device. It does not sign the user in. */
  device_token?: string | undefined;
};

export type LinksStartRequest = {
  /** Id of a project. */
  project_id: string;
  email: string;
  /** The SHA-256 of the `verifier`, in base64url: the `S256` method of RFC 7636. */
  challenge: string;
  /** The token of the captcha, if the project requires a captcha. It is valid once. */
  captcha_token?: string | undefined;
};

export type LinksShowCodeRequest = {
  /** Id of a project. */
  project_id: string;
  /** Identifies the mailed link: from the response of `POST /links`, or from the fragment of the link. */
  link_id: string;
  /** From the link's fragment: #token=... */
  token: string;
};

export type LinksSignInRequest = {
  /** Id of a project. */
  project_id: string;
  /** Identifies the mailed link: from the response of `POST /links`, or from the fragment of the link. */
  link_id: string;
  /** The random secret of the browser that requested the link; its digest is the `challenge`. */
  verifier: string;
  /** From the link's fragment: #token=... */
  token?: string | undefined;
  /** The code from `POST /links/code`, instead of the token. */
  code?: string | undefined;
  /** What the user agrees to; the time of the request is stored. */
  agreed_terms?: {
    tos?: true | undefined;
    sign_up?: true | undefined;
  } | undefined;
  display_name?: string | undefined;
  preferred_username?: string | undefined;
  profile_url?: string | undefined;
  thumbnail_url?: string | undefined;
  /** Replaced as a whole; an omitted part becomes empty. */
  name?: {
    given_name?: string | undefined;
    family_name?: string | undefined;
    formatted?: string | undefined;
  } | undefined;
  about_me?: string | undefined;
  current_location?: string | undefined;
  photos?: ({
    value: string;
    type?: string | undefined;
    primary?: boolean | undefined;
    display?: string | undefined;
  })[] | undefined;
  urls?: ({
    value: string;
    type?: string | undefined;
    primary?: boolean | undefined;
    display?: string | undefined;
  })[] | undefined;
  /** The device token of an earlier sign-in on this device. It does not sign the user in. */
  device_token?: string | undefined;
};

export type PasskeysStartRegistrationRequest = {
  /** Required if the caller has a password. If the project does not allow sign-in by password, a sign-in within the last ten minutes is enough. */
  current_password?: string | undefined;
};

export type PasskeysRegisterRequest = {
  /** What `credential.toJSON()` returns after `navigator.credentials.create`. */
  credential: {
    id: string;
    rawId: string;
    type: "public-key";
    response: {
      clientDataJSON: string;
      attestationObject: string;
      transports?: string[] | undefined;
    };
  };
  /** The name that the user has given the passkey. */
  name?: string | undefined;
};

export type PasskeysRenameRequest = {
  /** The name that the user has given the passkey. */
  name: string;
};

export type PasskeysDeleteRequest = {
  /** Required if the caller has a password. If the project does not allow sign-in by password, a sign-in within the last ten minutes is enough. */
  current_password?: string | undefined;
};

export type PasskeysStartSignInRequest = {
  /** Id of a project. */
  project_id: string;
};

export type PasskeysSignInRequest = {
  /** Id of a project. */
  project_id: string;
  /** What `credential.toJSON()` returns after `navigator.credentials.get`. */
  credential: {
    id: string;
    rawId: string;
    type: "public-key";
    response: {
      clientDataJSON: string;
      authenticatorData: string;
      signature: string;
      userHandle?: (string | null) | undefined;
    };
  };
  /** The device token of an earlier sign-in on this device. It does not sign the user in. */
  device_token?: string | undefined;
};

export type FactorsStartTotpRequest = {
  /** Required if the caller has a password. If the project does not allow sign-in by password, a sign-in within the last ten minutes is enough. */
  current_password?: string | undefined;
};

export type FactorsConfirmTotpRequest = {
  /** A code of the authenticator app. Each code is valid once. */
  code: string;
};

export type FactorsDeleteTotpRequest = {
  /** A code of the authenticator app. Each code is valid once. */
  code?: string | undefined;
  /** A recovery code. Each code is valid once. */
  recovery_code?: string | undefined;
};

export type FactorsRenewRecoveryCodesRequest = {
  /** A code of the authenticator app. Each code is valid once. */
  code?: string | undefined;
  /** A recovery code. Each code is valid once. */
  recovery_code?: string | undefined;
};

export type FactorsSignInRequest = {
  /** Id of a project. */
  project_id: string;
  mfa_token: string;
  /** A code of the authenticator app. Each code is valid once. */
  code?: string | undefined;
  /** A recovery code. Each code is valid once. */
  recovery_code?: string | undefined;
  /** The device token of an earlier sign-in on this device. It does not sign the user in. */
  device_token?: string | undefined;
};

export type FactorsStartEnrolmentRequest = {
  /** Id of a project. */
  project_id: string;
  mfa_token: string;
};

export type FactorsConfirmEnrolmentRequest = {
  /** Id of a project. */
  project_id: string;
  mfa_token: string;
  /** A code of the authenticator app. Each code is valid once. */
  code: string;
  /** The device token of an earlier sign-in on this device. It does not sign the user in. */
  device_token?: string | undefined;
};

export type IdentitiesLinkRequest = {
  provider: string;
  id_token?: string | undefined;
  /** The nonce that the client sent to the provider when it requested the token. */
  nonce?: string | undefined;
  /** Instead of an ID token: a code as for POST /sessions/oauth, with `code_verifier`. */
  code?: string | undefined;
  /** The verifier whose digest is `code_challenge`. */
  code_verifier?: string | undefined;
  /** Required if the caller has a password. If the project does not allow sign-in by password, a sign-in within the last ten minutes is enough. */
  current_password?: string | undefined;
};

export type IdentitiesUnlinkRequest = {
  /** Required if the caller has a password. If the project does not allow sign-in by password, a sign-in within the last ten minutes is enough. */
  current_password?: string | undefined;
};

export type IdentitiesSignInRequest = {
  /** Id of a project. */
  project_id: string;
  provider: string;
  id_token: string;
  /** The nonce that the client sent to the provider when it requested the token. */
  nonce?: string | undefined;
  /** What the user agrees to; the time of the request is stored. */
  agreed_terms?: {
    tos?: true | undefined;
    sign_up?: true | undefined;
  } | undefined;
  /** The device token of an earlier sign-in on this device. It does not sign the user in. */
  device_token?: string | undefined;
};

export type ProvidersSignInRequest = {
  /** Id of a project. */
  project_id: string;
  /** The code from the URL to which the browser came back; valid once, for 5 minutes. */
  code: string;
  /** The verifier whose digest is `code_challenge`. */
  code_verifier: string;
  /** What the user agrees to; the time of the request is stored. */
  agreed_terms?: {
    tos?: true | undefined;
    sign_up?: true | undefined;
  } | undefined;
  /** The device token of an earlier sign-in on this device. It does not sign the user in. */
  device_token?: string | undefined;
};

export type EmailsChangeRequest = {
  email: string;
  /** Required if the caller has a password. If the project does not allow sign-in by password, a sign-in within the last ten minutes is enough. */
  current_password?: string | undefined;
};

export type EmailsConfirmRequest = {
  /** From the link's fragment: #token=... */
  token: string;
};

export type UsersCreateRequest = {
  email: string;
  /** True: the backend confirms that the user owns the mailbox. False changes nothing. */
  email_verified?: boolean | undefined;
  /** The id that your backend gave it; unique in the project, upper and lower case differ. */
  external_id?: string | undefined;
  /** Your own data, which the user reads and writes too. */
  user_metadata?: Record<string, unknown> | undefined;
  /** Your own data, which the user reads. */
  app_metadata?: Record<string, unknown> | undefined;
  /** Your own data, which only the backend reads. */
  private_metadata?: Record<string, unknown> | undefined;
  display_name?: string | undefined;
  preferred_username?: string | undefined;
  profile_url?: string | undefined;
  thumbnail_url?: string | undefined;
  /** Replaced as a whole; an omitted part becomes empty. */
  name?: {
    given_name?: string | undefined;
    family_name?: string | undefined;
    formatted?: string | undefined;
  } | undefined;
  about_me?: string | undefined;
  current_location?: string | undefined;
  photos?: ({
    value: string;
    type?: string | undefined;
    primary?: boolean | undefined;
    display?: string | undefined;
  })[] | undefined;
  urls?: ({
    value: string;
    type?: string | undefined;
    primary?: boolean | undefined;
    display?: string | undefined;
  })[] | undefined;
};

export type UsersImportRequest = {
  /** Each user is created or reported independently: an invalid user does not make the request fail. */
  users: ({
    email?: string | undefined;
    /** True: the user is known to own the mailbox. Default false. */
    email_verified?: boolean | undefined;
    /** The id that your backend gave it; unique in the project, upper and lower case differ. */
    external_id?: string | undefined;
    /** In PHC string format or bcrypt format; replaced at the first sign-in. See the guide "Bring your users" for each algorithm. */
    password_hash?: string | undefined;
    /** Accounts at identity providers that sign the user in. */
    identities?: ({
      /** Method name of an identity provider of the project. */
      provider: string;
      /** The id of the account at the provider: the claim `sub` of its ID tokens. */
      subject: string;
    })[] | undefined;
    /** True: the user cannot sign in. */
    disabled?: boolean | undefined;
    /** When the user was created at the other service; not in the future. */
    created_at?: string | undefined;
    /** Your own data, which the user reads and writes too. */
    user_metadata?: Record<string, unknown> | undefined;
    /** Your own data, which the user reads. */
    app_metadata?: Record<string, unknown> | undefined;
    /** Your own data, which only the backend reads. */
    private_metadata?: Record<string, unknown> | undefined;
    display_name?: string | undefined;
    preferred_username?: string | undefined;
    profile_url?: string | undefined;
    thumbnail_url?: string | undefined;
    /** Replaced as a whole; an omitted part becomes empty. */
    name?: {
      given_name?: string | undefined;
      family_name?: string | undefined;
      formatted?: string | undefined;
    } | undefined;
    about_me?: string | undefined;
    current_location?: string | undefined;
    photos?: ({
      value: string;
      type?: string | undefined;
      primary?: boolean | undefined;
      display?: string | undefined;
    })[] | undefined;
    urls?: ({
      value: string;
      type?: string | undefined;
      primary?: boolean | undefined;
      display?: string | undefined;
    })[] | undefined;
  })[];
  /** Only reports the result that each user would have. */
  dry_run?: boolean | undefined;
};

export type UsersSearchRequest = {
  /** Repeated uids count towards the 100. The result has the same order and no duplicates. */
  uids: string[];
  /** Number to skip; default 0. */
  offset?: number | undefined;
  /** Maximum number to return; default 20, at most 100. */
  limit?: number | undefined;
};

export type UsersUpdateRequest = {
  /** Only the backend may change it; "" is accepted for a user who has none. */
  email?: (string) | undefined;
  /** True: the backend confirms that the user owns the e-mail in this request. */
  email_verified?: true | undefined;
  /** True ends every session of the user at once and rejects new ones. Backend only. */
  disabled?: boolean | undefined;
  /** Unique in the project; null or "" clears it. Only the backend may change it. */
  external_id?: (string | null) | undefined;
  /** The terms that the user agrees to; the time of the request is stored. You may send times back as you read them. */
  agreed_terms?: {
    tos?: (true | string) | undefined;
    sign_up?: (true | string) | undefined;
  } | undefined;
  display_name?: string | undefined;
  preferred_username?: string | undefined;
  profile_url?: string | undefined;
  thumbnail_url?: string | undefined;
  /** Replaced as a whole; an omitted part becomes empty. */
  name?: {
    given_name?: string | undefined;
    family_name?: string | undefined;
    formatted?: string | undefined;
  } | undefined;
  about_me?: string | undefined;
  current_location?: string | undefined;
  photos?: ({
    value: string;
    type?: string | undefined;
    primary?: boolean | undefined;
    display?: string | undefined;
  })[] | undefined;
  urls?: ({
    value: string;
    type?: string | undefined;
    primary?: boolean | undefined;
    display?: string | undefined;
  })[] | undefined;
  /** Read-only: omit it or send its current value. */
  uid?: string | undefined;
  /** Read-only: omit it or send its current value. */
  project_id?: string | undefined;
  /** Read-only: omit it or send its current value. */
  displayed_name?: string | undefined;
  /** Read-only: omit it or send its current value. */
  social?: string | undefined;
  /** Read-only: omit it or send its current value. */
  sign_in_methods?: Record<string, {
    enabled: boolean;
  }> | undefined;
  /** Read-only: omit it or send its current value. */
  verified?: {
    email: boolean;
    sms?: boolean | undefined;
  } | undefined;
  /** Read-only: omit it or send its current value. */
  address?: string | undefined;
  /** Read-only: omit it or send its current value. */
  wallet?: {
    /** EVM address, EIP-55; empty: no wallet yet. */
    address: string;
    type: string;
  } | undefined;
  /** Read-only: omit it or send its current value. */
  created_at?: string | undefined;
  /** Read-only: omit it or send its current value. */
  modified_at?: string | undefined;
  /** Read-only: omit it or send its current value. */
  last_sign_in_at?: string | undefined;
};

export type UsersDeleteRequest = {
  /** Required if the caller is a user with a password; not for the backend. If the project does not allow sign-in by password, a sign-in within the last ten minutes is enough. */
  current_password?: string | undefined;
};

export type UsersSetMetadataRequest = {
  /** Replaces the object; {} clears it. */
  user_metadata?: Record<string, unknown> | undefined;
  /** Replaces the object; {} clears it. */
  app_metadata?: Record<string, unknown> | undefined;
  /** Replaces the object; {} clears it. */
  private_metadata?: Record<string, unknown> | undefined;
};

export type UsersMergeMetadataRequest = {
  /** Merged into the object (RFC 7396): null removes a field, or the whole object. */
  user_metadata?: (Record<string, unknown> | null) | undefined;
  /** Merged into the object (RFC 7396): null removes a field, or the whole object. */
  app_metadata?: (Record<string, unknown> | null) | undefined;
  /** Merged into the object (RFC 7396): null removes a field, or the whole object. */
  private_metadata?: (Record<string, unknown> | null) | undefined;
};

export type WorkspacesCreateRequest = {
  name: string;
  /** Required with Basic; with Bearer the caller, and nobody else. */
  owner_id?: string | undefined;
  logo?: (string | null) | undefined;
  description?: string | undefined;
  /** The id that your backend gave it; unique in the project, upper and lower case differ. */
  external_id?: string | undefined;
  /** Whether members need a second factor or a passkey. Only the backend can change it, and the owner in a session with a second factor or a passkey. */
  require_mfa?: boolean | undefined;
  /** Days from now until members need it; default 0. Without this field, an existing time does not change. */
  mfa_grace_days?: number | undefined;
  /** Your own data, which owner and admins read. Backend only. */
  app_metadata?: Record<string, unknown> | undefined;
  /** Your own data, which only the backend reads. Backend only. */
  private_metadata?: Record<string, unknown> | undefined;
};

export type WorkspacesUpdateRequest = {
  /** An https URL; null or "" clears it. */
  logo?: (string | null) | undefined;
  name?: string | undefined;
  /** "" clears it. */
  description?: string | undefined;
  /** Unique in the project; null or "" clears it. Only the backend may change it. */
  external_id?: (string | null) | undefined;
  /** Whether members need a second factor or a passkey. Only the backend can change it, and the owner in a session with a second factor or a passkey. */
  require_mfa?: boolean | undefined;
  /** Days from now until members need it; default 0. Without this field, an existing time does not change. */
  mfa_grace_days?: number | undefined;
  /** Read-only: omit it or send its current value. */
  workspace_id?: string | undefined;
  /** Read-only: omit it or send its current value. */
  project_id?: string | undefined;
  /** Read-only: omit it or send its current value. */
  invitation_url?: string | undefined;
  /** Read-only: omit it or send its current value. */
  logo_url?: string | undefined;
  /** Read-only: omit it or send its current value. */
  owner_id?: string | undefined;
  /** Read-only: omit it or send its current value. */
  owner_email?: string | undefined;
  /** Read-only: omit it or send its current value. */
  created_at?: string | undefined;
  /** Read-only: omit it or send its current value. */
  modified_at?: string | undefined;
  /** Read-only: omit it or send its current value. */
  allowed_domains?: string[] | undefined;
  /** Read-only: omit it or send its current value. */
  total_member_count?: number | undefined;
  /** Read-only: omit it or send its current value. */
  ownership_offered_to?: string | undefined;
  /** Read-only: omit it or send its current value. */
  mfa_required_at?: string | undefined;
};

export type WorkspacesSetMetadataRequest = {
  /** Replaces the object; {} clears it. */
  app_metadata?: Record<string, unknown> | undefined;
  /** Replaces the object; {} clears it. */
  private_metadata?: Record<string, unknown> | undefined;
};

export type WorkspacesMergeMetadataRequest = {
  /** Merged into the object (RFC 7396): null removes a field, or the whole object. */
  app_metadata?: (Record<string, unknown> | null) | undefined;
  /** Merged into the object (RFC 7396): null removes a field, or the whole object. */
  private_metadata?: (Record<string, unknown> | null) | undefined;
};

export type WorkspacesSetAllowedDomainsRequest = {
  /** A user may add only the domain of their own verified e-mail, matched exactly. */
  allowed_domains: string[];
};

export type DomainsSetRequest = {
  /** auto: users with a verified e-mail in the domain may join at once. suggest: they may request to join. off: neither. */
  mode: "suggest" | "auto" | "off";
};

export type MembersJoinRequest = {
  /** Id of a workspace. */
  workspace_id: string;
  /** Id of a user: a UUID, always returned in lower case. */
  user_id: string;
  /** The token of a join link. */
  join_token?: string | undefined;
};

export type MembersAddRequest = {
  /** Id of a user: a UUID, always returned in lower case. */
  user_id: string;
  /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
  role: string;
  /** True: the member is suspended in the same write, so that they never have access. An existing member is suspended too. */
  suspended?: true | undefined;
};

export type MembersSuspendRequest = {
  suspended: boolean;
};

export type MembersSetMetadataRequest = {
  /** Replaces the object; {} clears it. */
  app_metadata: Record<string, unknown>;
};

export type MembersMergeMetadataRequest = {
  /** Merged into the object (RFC 7396): null removes a field, or the whole object. */
  app_metadata: (Record<string, unknown> | null);
};

export type MembersChangeRoleRequest = {
  /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
  role: string;
  /** If sent, must equal the one in the path. */
  workspace_id?: string | undefined;
  /** If sent, must equal the one in the path. */
  user_id?: string | undefined;
};

export type InvitationsCreateRequest = {
  email?: string | undefined;
  /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
  role?: string | undefined;
  /** Shown in the mail as a quote from the inviter. */
  message?: string | undefined;
  /** Instead of email and role: several invitations, with a result for each. */
  invitations?: ({
    email: string;
    /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
    role: string;
    /** Shown in the mail as a quote from the inviter. */
    message?: string | undefined;
  })[] | undefined;
  /** Seconds for which the invitation is valid; default 604800. */
  expires_in?: number | undefined;
  /** False: no mail is sent; you deliver the link. Default true. */
  send_mail?: boolean | undefined;
  /** With invitations: only reports the result that each row would have; nothing is counted. The daily limits that reject a whole request (mails of the workspace, invitations by the caller) are not checked. */
  dry_run?: boolean | undefined;
};

export type InvitationsAcceptRequest = {
  token: string;
};

export type JoinRequestsCreateRequest = {
  /** Shown to the admins who decide on the request. */
  message?: string | undefined;
};

export type JoinRequestsApproveRequest = {
  /** Default member. */
  role?: string | undefined;
};

export type JoinLinksCreateRequest = {
  /** Default member; admin: only the owner or the backend may set it. */
  role?: string | undefined;
  /** Seconds for which the link is valid; default 2592000. */
  expires_in?: number | undefined;
  /** Maximum number of users who may join with it. Default: unlimited. */
  max_uses?: number | undefined;
  /** Restricts the link to users with a verified e-mail in an allowed domain, whatever the domain's mode. */
  restrict_to_allowed_domains?: boolean | undefined;
};

export type OwnershipOfferRequest = {
  /** An accepted admin; replaces an earlier offer. */
  user_id: string;
};

export type ApiKeysCreateRequest = {
  /** The purpose of the key. */
  name: string;
  /** Limits the key to these permissions of the service and of the project. */
  permissions?: string[] | undefined;
  /** Your own data. Those who manage the key read and write it. */
  metadata?: Record<string, unknown> | undefined;
  /** Seconds for which the key is valid. Without this field, it is valid until it is revoked. */
  expires_in?: number | undefined;
};

export type ApiKeysUpdateRequest = {
  /** The purpose of the key. */
  name?: string | undefined;
  /** Replaces the object; {} clears it. */
  metadata?: Record<string, unknown> | undefined;
};

export type ApiKeysRotateRequest = {
  /** Seconds for which the previous text stays valid; default 86400. */
  overlap?: number | undefined;
};

export type ApiKeysVerifyRequest = {
  /** For any text that is not a key of the project, the response is `"valid": false`. */
  key: string;
  /** The workspace in which the program uses the key; the response has the permissions there. A key of another workspace is not valid. */
  workspace_id?: string | undefined;
};

export type WorkspaceKeysCreateRequest = {
  /** The purpose of the key. */
  name: string;
  /** Limits the key to these permissions of the service and of the project. */
  permissions?: string[] | undefined;
  /** Your own data. Those who manage the key read and write it. */
  metadata?: Record<string, unknown> | undefined;
  /** Seconds for which the key is valid. Without this field, it is valid until it is revoked. */
  expires_in?: number | undefined;
  /** The role of the key in the workspace. Default: member; with `permissions`, admin limited to these permissions. */
  role?: "member" | "admin" | undefined;
};

export type WorkspaceKeysUpdateRequest = {
  /** The purpose of the key. */
  name?: string | undefined;
  /** Replaces the object; {} clears it. */
  metadata?: Record<string, unknown> | undefined;
};

export type WorkspaceKeysRotateRequest = {
  /** Seconds for which the previous text stays valid; default 86400. */
  overlap?: number | undefined;
};

export type PermissionsSetRequest = {
  description?: string | undefined;
};

export type PermissionsCheckRequest = {
  checks: ({
    /** Id of a workspace. */
    workspace_id: string;
    /** The user must have all of them. */
    permissions: string[];
    /** The user. Required with Basic; with Bearer the caller: anybody else is 400. */
    user_id?: string | undefined;
  })[];
};

export type RolesSetRequest = {
  name?: string | undefined;
  description?: string | undefined;
  /** The permissions that the role holds itself. */
  permissions: string[];
  /** Roles whose permissions the role also has. Every role has the permissions of member. */
  inherits?: string[] | undefined;
};

export type WorkspaceRolesSetRequest = {
  name?: string | undefined;
  description?: string | undefined;
  /** The permissions that the role holds itself. */
  permissions: string[];
};

export type WebhooksCreateRequest = {
  /** The receiver: https, a public host, port 443 or from 1024. In development also http to localhost. */
  url: string;
  /** Send only events of these types; empty: every event. */
  event_types?: EventType[] | undefined;
  description?: string | undefined;
};

export type WebhooksUpdateRequest = {
  /** The receiver: https, a public host, port 443 or from 1024. In development also http to localhost. */
  url?: string | undefined;
  /** Send only events of these types; empty: every event. */
  event_types?: EventType[] | undefined;
  description?: string | undefined;
  disabled?: boolean | undefined;
};

export type WebhooksRedeliverRequest = {
  /** Id of an event. */
  event_id?: string | undefined;
  /** RFC 3339; responses have UTC, with milliseconds. */
  since?: string | undefined;
  /** RFC 3339; responses have UTC, with milliseconds. */
  until?: string | undefined;
};

export type Session = {
  /** A JWT, valid until its claim `exp`: for ten minutes, or for an hour where somebody acts as the user. */
  access_token: string;
  /** Empty where somebody acts as the user: such a session is not renewed. */
  refresh_token: string;
  /** Id of a user: a UUID, always returned in lower case. */
  uid: string;
  user: User;
  user_created: boolean;
  /** In the answer to a sign-in: send it with the next one of this user on this device, wherever that is, and no mail says that the device is new. */
  device_token?: string;
};

export type User = {
  /** Id of a user: a UUID, always returned in lower case. */
  uid: string;
  /** Id of a project. */
  project_id: string;
  email: string;
  profile_url: string;
  preferred_username: string;
  thumbnail_url: string;
  name: {
    given_name: string;
    family_name: string;
    formatted: string;
  };
  display_name: string;
  about_me: string;
  current_location: string;
  social?: string;
  sign_in_methods?: Record<string, {
    enabled: boolean;
  }>;
  verified: {
    email: boolean;
    sms?: boolean;
  };
  address: string;
  wallet: {
    /** EVM address, EIP-55; empty: no wallet yet. */
    address: string;
    type: string;
  };
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  modified_at: string;
  photos: ({
    value: string;
    type?: string;
    primary?: boolean;
    display?: string;
  })[];
  urls: ({
    value: string;
    type?: string;
    primary?: boolean;
    display?: string;
  })[];
  /** RFC 3339; responses have UTC, with milliseconds. */
  last_sign_in_at?: string;
  agreed_terms?: {
    /** RFC 3339; responses have UTC, with milliseconds. */
    tos?: string;
    /** RFC 3339; responses have UTC, with milliseconds. */
    sign_up?: string;
  };
  /** Present, and true, while disabled. */
  disabled?: boolean;
  /** The id that your backend gave it; unique in the project, upper and lower case differ. */
  external_id?: string;
};

/** An error (RFC 9457). */
export type Problem = {
  /** URL of the documentation of the code. */
  type: string;
  title: string;
  status: number;
  detail: string;
  code: "invalid_request" | "join_link_invalid" | "mail_token_invalid" | "passkey_invalid" | "mfa_token_invalid" | "captcha_invalid" | "invalid_grant" | "unsupported_grant_type" | "invalid_scope" | "invalid_client" | "invalid_credentials" | "identity_token_invalid" | "unauthenticated" | "token_expired" | "refresh_token_reused" | "reauthentication_required" | "forbidden" | "insufficient_scope" | "mfa_required" | "membership_suspended" | "approval_required" | "user_disabled" | "sign_in_method_disabled" | "password_locked" | "factor_locked" | "captcha_required" | "sign_up_disabled" | "not_found" | "method_not_allowed" | "already_member" | "invitation_exists" | "owner_role_fixed" | "owner_must_stay" | "owns_workspaces" | "ownership_needs_admin" | "domain_not_proven" | "identity_link_required" | "identity_conflict" | "provider_sign_in_required" | "last_sign_in_method" | "passkey_exists" | "passkey_limit_reached" | "factor_exists" | "factor_required" | "email_missing" | "email_taken" | "external_id_taken" | "member_limit_reached" | "invitation_limit_reached" | "workspace_limit_reached" | "owned_workspace_limit_reached" | "join_link_limit_reached" | "join_request_limit_reached" | "api_key_limit_reached" | "role_in_use" | "permission_in_use" | "role_limit_reached" | "permission_limit_reached" | "webhook_limit_reached" | "webhook_disabled" | "redelivery_in_progress" | "request_in_progress" | "precondition_failed" | "content_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "too_many_requests" | "internal_error" | "temporarily_unavailable";
  /** As in X-Request-Id; quote it when you report a problem. */
  request_id: string;
  /** The invalid fields, 20 at most; only with invalid_request. */
  errors?: ({
    /** JSON Pointer (RFC 6901) from /headers, /path, /query or /body. */
    pointer: string;
    detail: string;
  })[];
  /** Id of a membership. Only with `already_member` and `invitation_exists`. */
  member_id?: string;
  /** The user. May be absent if the request itself names the user. Only with `already_member` and `invitation_exists`. */
  user_id?: string;
  /** The workspaces that the user owns, at most 100 of them. Only with `owns_workspaces`. */
  workspace_ids?: string[];
  /** The name of the TXT record to publish. Only with `domain_not_proven`. */
  record_name?: string;
  /** The value of the TXT record. Only with `domain_not_proven`. */
  record_value?: string;
  /** The provider of the captcha to show. Only with `captcha_required`. */
  provider?: "turnstile" | "hcaptcha" | "recaptcha";
  /** The project's public key at that provider. Only with `captcha_required`. */
  site_key?: string;
  /** The number of members, open invitations and valid join links with the role, counted up to 1,000. Only with `role_in_use`. */
  member_count?: number;
  /** True if there may be more. Only with `role_in_use`. */
  member_count_is_at_least?: boolean;
  /** The roles that inherit from the role. If present, members were not counted. Only with `role_in_use`. */
  inherited_by?: string[];
  /** The roles that have the permission. Only with `permission_in_use`. */
  roles?: string[];
  /** The permissions that the caller's role lacks, if that is the reason. Only with `forbidden`. */
  missing?: string[];
};

export type SessionInfo = {
  /** Id of a session. */
  session_id: string;
  /** How the session was started: idpw, email_code, email_link, passkey, an identity provider, or project. */
  method: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  last_refreshed_at: string;
  /** Empty if the backend started the session. */
  user_agent: string;
  /** The network it was started from: an IPv4 /24 or an IPv6 /48. */
  address: string;
  /** The OAuth client that started it; absent for a session of the user alone. */
  client_id?: string;
  /** Who acts as the user in it; absent for a session of the user. */
  actor?: {
    /** Such as the e-mail of a supporter. */
    id: string;
    /** Such as the number of a ticket. */
    reason: string;
  };
  /** Whether it is the session of this request. */
  current: boolean;
};

export type EndedSessions = {
  ended: number;
};

export type EndedSession = {
  /** Id of a session. */
  session_id: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  ended_at: string;
};

export type SelectedWorkspace = {
  /** It expires at the same time as the token of the request. */
  access_token: string;
  /** Seconds until then. */
  expires_in: number;
  /** The active workspace. */
  workspace_id?: string;
  /** What the user is in the workspace: `owner`, or the role. */
  workspace_role?: string;
  /** The permissions of the user in the workspace, sorted; absent if they are too many for a token. */
  permissions?: string[];
  /** True, instead of the permissions, if they are too many. */
  permissions_truncated?: boolean;
};

export type Reauthenticated = {
  /** Its `auth_time` is the time of this request. It expires at the same time as the token of the request. */
  access_token: string;
  /** Seconds until then. */
  expires_in: number;
};

export type Introspection = (ActiveToken | InactiveToken);

export type ActiveToken = {
  active: true;
  token_type: "Bearer";
  /** The OAuth client for which the session was started, otherwise the project. */
  client_id: string;
  /** Id of a user: a UUID, always returned in lower case. */
  sub: string;
  /** Id of a session. */
  sid: string;
  /** Id of a project. */
  aud: string;
  iss: string;
  /** Seconds since 1970. */
  iat: number;
  /** Seconds since 1970. */
  exp: number;
  jti: string;
  /** The time of the sign-in, in seconds since 1970. */
  auth_time?: number;
  /** The authentication methods of the session (RFC 8176). */
  amr?: string[];
  /** `aal2` after a sign-in with two factors, otherwise `aal1`. */
  acr?: string;
  /** The person who acts as the user (RFC 8693). */
  act?: {
    sub: string;
  };
  /** The active workspace. */
  workspace_id?: string;
  /** What the user is in the workspace: `owner`, or the role. */
  workspace_role?: string;
  /** The permissions of the user in the workspace, sorted; absent if they are too many for a token. */
  permissions?: string[];
  /** True, instead of the permissions, if they are too many. */
  permissions_truncated?: boolean;
  [other: string]: unknown;
};

export type InactiveToken = {
  active: false;
};

export type Mailed = {
  /** Seconds for which the mailed link or code is valid. */
  expires_in: number;
};

export type MfaRequired = {
  mfa_required: true;
  /** For `POST /sessions/mfa`: valid once, for 10 minutes. */
  mfa_token: string;
  /** What the user can show: a code of the authenticator app, or a recovery code. `enrol` alone: the project requires a second factor, and the user must add one with `POST /sessions/mfa/totp`. */
  methods: ("totp" | "recovery_code" | "enrol")[];
};

export type Challenge = {
  /** Seconds for which the mailed link or code is valid. */
  expires_in: number;
  /** Identifies the mailed code; returned to the client that requested the mail. */
  challenge_id: string;
};

export type MailedLink = {
  /** Seconds for which the mailed link or code is valid. */
  expires_in: number;
  /** Identifies the mailed link: from the response of `POST /links`, or from the fragment of the link. */
  link_id: string;
};

export type LinkCode = {
  code: string;
};

export type PasskeyCreationOptions = {
  rp: {
    id: string;
    name: string;
  };
  user: {
    id: string;
    name: string;
    displayName: string;
  };
  challenge: string;
  pubKeyCredParams: ({
    type: "public-key";
    alg: number;
  })[];
  timeout: number;
  excludeCredentials: ({
    id: string;
    type: "public-key";
    transports?: string[];
  })[];
  authenticatorSelection: {
    residentKey: "required";
    requireResidentKey: true;
    userVerification: "required";
  };
  attestation: "none";
};

export type Passkey = {
  /** Id of a passkey: the digest of its credential id. */
  passkey_id: string;
  /** The name that the user has given the passkey. */
  name: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** Absent if it was never used to sign in. */
  last_used_at?: string;
  /** Whether the provider of the passkey keeps a copy, for example for other devices. */
  backed_up: boolean;
  transports: string[];
  /** Present, and true, if its counter has ever decreased: the passkey may have been copied, and the user should replace it. */
  counter_decreased?: boolean;
};

export type PasskeyRequestOptions = {
  rpId: string;
  challenge: string;
  timeout: number;
  userVerification: "required";
};

export type TotpEnrolment = {
  /** The secret in base32, for users who cannot scan the QR code. */
  secret: string;
  /** Show it as a QR code. */
  uri: string;
  /** Seconds within which the user must confirm the app. */
  expires_in: number;
};

export type Factor = {
  /** An authenticator app (RFC 6238). */
  type: "totp";
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** Absent if it was never used. */
  last_used_at?: string;
  recovery_codes_left: number;
};

export type NewFactor = {
  /** An authenticator app (RFC 6238). */
  type: "totp";
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** Absent if it was never used. */
  last_used_at?: string;
  recovery_codes_left: number;
  /** The 10 recovery codes. They are shown only once. */
  recovery_codes: string[];
};

export type RecoveryCodes = {
  /** The 10 recovery codes. They are shown only once. */
  recovery_codes: string[];
};

export type EnrolledSession = {
  /** A JWT, valid until its claim `exp`: for ten minutes, or for an hour where somebody acts as the user. */
  access_token: string;
  /** Empty where somebody acts as the user: such a session is not renewed. */
  refresh_token: string;
  /** Id of a user: a UUID, always returned in lower case. */
  uid: string;
  user: User;
  user_created: boolean;
  /** In the answer to a sign-in: send it with the next one of this user on this device, wherever that is, and no mail says that the device is new. */
  device_token?: string;
  /** The 10 recovery codes. They are shown only once. */
  recovery_codes: string[];
};

export type ProviderToken = {
  /** For the provider's API. */
  access_token: string;
  token_type: "Bearer";
  /** Absent if the provider does not return it. */
  expires_at?: string;
  /** The scopes that the user has granted, if the provider returns them. */
  scope?: string;
};

export type UserImportResult = {
  dry_run: boolean;
  /** Number of users that were, or would be, created. */
  created: number;
  /** Number of users that existed. */
  exists: number;
  /** Number of users that were refused. */
  failed: number;
  /** Number of users that were not reached in time. */
  unprocessed: number;
  /** One for each user, in the same order. */
  results: ({
    /** exists: there is a user with the external id or the e-mail, which was not changed. failed: see errors. unprocessed: time ran out; send the user again. */
    outcome: "created" | "exists" | "failed" | "unprocessed";
    /** The new or existing user; in a dry run, only an existing user. */
    uid?: string;
    /** Every invalid field, with a JSON Pointer into the request. */
    errors?: ({
      pointer: string;
      detail: string;
    })[];
  })[];
};

export type UserDeletion = {
  /** Id of a user: a UUID, always returned in lower case. */
  uid: string;
  /** Id of a project. */
  project_id: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  deleted_at: string;
  /** When the last membership was removed; absent while memberships are being removed. */
  completed_at?: string;
};

export type FoundUser = {
  /** Id of a user: a UUID, always returned in lower case. */
  uid: string;
  /** Id of a project. */
  project_id: string;
  email: string;
  profile_url: string;
  preferred_username: string;
  thumbnail_url: string;
  name: {
    given_name: string;
    family_name: string;
    formatted: string;
  };
  about_me: string;
  current_location: string;
  social?: string;
  sign_in_methods?: Record<string, {
    enabled: boolean;
  }>;
  verified: {
    email: boolean;
    sms?: boolean;
  };
  address: string;
  wallet: {
    /** EVM address, EIP-55; empty: no wallet yet. */
    address: string;
    type: string;
  };
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  modified_at: string;
  photos: ({
    value: string;
    type?: string;
    primary?: boolean;
    display?: string;
  })[];
  urls: ({
    value: string;
    type?: string;
    primary?: boolean;
    display?: string;
  })[];
  /** RFC 3339; responses have UTC, with milliseconds. */
  last_sign_in_at?: string;
  agreed_terms?: {
    /** RFC 3339; responses have UTC, with milliseconds. */
    tos?: string;
    /** RFC 3339; responses have UTC, with milliseconds. */
    sign_up?: string;
  };
  /** Present, and true, while disabled. */
  disabled?: boolean;
  /** The id that your backend gave it; unique in the project, upper and lower case differ. */
  external_id?: string;
  displayed_name: string;
};

/** What is not set is absent. */
export type UserMetadata = {
  user_metadata?: Record<string, unknown>;
  app_metadata?: Record<string, unknown>;
  /** Only for the backend. */
  private_metadata?: Record<string, unknown>;
};

export type UserExport = {
  /** RFC 3339; responses have UTC, with milliseconds. */
  exported_at: string;
  user: User;
  metadata?: UserMetadata;
  password?: {
    /** RFC 3339; responses have UTC, with milliseconds. */
    changed_at: string;
  };
  identities: ({
    provider: string;
    issuer: string;
    subject: string;
    /** Present if the service keeps tokens of the provider. The tokens are credentials and are not exported. */
    tokens_kept?: true;
  })[];
  /** Absent without any. */
  passkeys?: Passkey[];
  /** Absent without any. */
  factors?: Factor[];
  /** What accepts no attempt now. Only for the backend; absent without any. */
  locks?: ({
    credential: "password" | "totp";
    wrong_attempts: number;
    /** Absent if waiting does not help. */
    until?: string;
  })[];
  /** Since when the user gets no mail. Only for the backend. */
  mail_stopped?: {
    /** RFC 3339; responses have UTC, with milliseconds. */
    at: string;
    because: "bounced" | "complained";
  };
  sessions: SessionInfo[];
  /** The newest 100 sessions that ended because their refresh token was used twice or they were not refreshed in time. They are stored until they would have expired. Only in the first page; absent if there are none. */
  ended_sessions?: SessionInfo[];
  /** The list includes keys that ended when the user set a password by mail, as long as they are stored. Only in the first page; absent if there are none. */
  api_keys?: ApiKey[];
  memberships: ({
    /** Id of a membership. */
    member_id: string;
    /** Id of a workspace. */
    workspace_id: string;
    email: string;
    /** Id of a user: a UUID, always returned in lower case. */
    inviter_id: string;
    inviter_email: string;
    /** Status of a membership. */
    status: "accepted" | "pending";
    /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
    role: string;
    /** RFC 3339; responses have UTC, with milliseconds. */
    created_at: string;
    /** RFC 3339; responses have UTC, with milliseconds. */
    modified_at: string;
    /** Id of a user: a UUID, always returned in lower case. */
    user_id: string;
    /** Present, and true, while the membership is suspended. */
    suspended?: boolean;
    /** Written by the backend; shown to it, to admins and to the member. */
    app_metadata?: Record<string, unknown>;
    workspace_name: string;
    /** Present, and true, if it was deleted and can be restored. */
    workspace_deleted?: boolean;
  })[];
  invitations: ({
    /** Id of a membership. */
    member_id: string;
    /** Id of a workspace. */
    workspace_id: string;
    email: string;
    /** Id of a user: a UUID, always returned in lower case. */
    inviter_id: string;
    inviter_email: string;
    /** Status of a membership. */
    status: "accepted" | "pending";
    /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
    role: string;
    /** RFC 3339; responses have UTC, with milliseconds. */
    created_at: string;
    /** RFC 3339; responses have UTC, with milliseconds. */
    modified_at: string;
    /** Id of a user: a UUID, always returned in lower case. */
    user_id: string;
    /** Present, and true, while the membership is suspended. */
    suspended?: boolean;
    /** Written by the backend; shown to it, to admins and to the member. */
    app_metadata?: Record<string, unknown>;
    state: "pending" | "expired";
    /** RFC 3339; responses have UTC, with milliseconds. */
    expires_at: string;
    message?: string;
    workspace_name: string;
    /** Present, and true, if it was deleted and can be restored. */
    workspace_deleted?: boolean;
  })[];
  join_requests: ({
    /** Id of a workspace. */
    workspace_id: string;
    /** RFC 3339; responses have UTC, with milliseconds. */
    created_at: string;
    message?: string;
    workspace_name: string;
    /** Present, and true, if it was deleted and can be restored. */
    workspace_deleted?: boolean;
  })[];
  owned_workspaces: Workspace[];
  /** The events of the last 90 days, oldest first. */
  events: Event[];
  /** There are older events, beyond 5000 or some megabytes: the next page has them. */
  events_truncated?: true;
};

export type ApiKey = {
  /** Id of an API key. */
  key_id: string;
  /** The purpose of the key. */
  name: string;
  /** The role of a workspace key in its workspace. */
  role?: "member" | "admin";
  /** Limits the key to these permissions of the service and of the project. */
  permissions?: string[];
  /** Absent without any. */
  metadata?: Record<string, unknown>;
  /** The user who created a workspace key; absent if the backend created it. */
  created_by?: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  expires_at?: string;
  /** The last day (UTC) on which the key was used. Only in lists; absent if the key was never used. */
  last_used_on?: string;
  /** The time until which the text from before the last rotation is valid. */
  previous_expires_at?: string;
};

export type Workspace = {
  /** Id of a workspace. */
  workspace_id: string;
  /** Id of a project. */
  project_id: string;
  name: string;
  invitation_url: string;
  logo_url?: string;
  /** Id of a user: a UUID, always returned in lower case. */
  owner_id: string;
  owner_email: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  modified_at: string;
  allowed_domains: string[];
  description?: string;
  total_member_count: number;
  /** The admin to whom the owner has offered the workspace; absent if there is no offer. */
  ownership_offered_to?: string;
  /** The id that your backend gave it; unique in the project, upper and lower case differ. */
  external_id?: string;
  /** Whether members need a second factor or a passkey; absent if they do not. */
  require_mfa?: boolean;
  /** From when on they need it. */
  mfa_required_at?: string;
};

export type Event = {
  /** The same in every copy of the event: feed, audit log, bus and webhooks. */
  id: string;
  type: "user.created" | "user.updated" | "user.metadata_changed" | "user.email_changed" | "user.email_verified" | "user.disabled" | "user.enabled" | "user.password_changed" | "user.password_exported" | "user.identity_linked" | "user.identity_unlinked" | "user.api_key.created" | "user.api_key.updated" | "user.api_key.rotated" | "user.api_key.revoked" | "user.api_key.first_used" | "user.passkey_added" | "user.passkey_removed" | "user.passkey_counter_decreased" | "user.factor_added" | "user.factor_removed" | "user.recovery_codes_renewed" | "user.recovery_code_used" | "user.sessions_ended" | "user.deleted" | "session.started" | "session.reauthenticated" | "session.ended" | "session.reuse_detected" | "email.bounced" | "email.complained" | "permission.created" | "permission.updated" | "permission.deleted" | "role.created" | "role.updated" | "role.deleted" | "workspace.created" | "workspace.updated" | "workspace.metadata_changed" | "workspace.domains_changed" | "workspace.domain_proven" | "workspace.deleted" | "workspace.restored" | "workspace.ownership_offered" | "workspace.ownership_offer_ended" | "workspace.ownership_transferred" | "workspace.role.created" | "workspace.role.updated" | "workspace.role.deleted" | "workspace.member.added" | "workspace.member.joined" | "workspace.member.role_changed" | "workspace.member.metadata_changed" | "workspace.member.suspended" | "workspace.member.resumed" | "workspace.member.removed" | "workspace.member.left" | "workspace.invitation.created" | "workspace.invitation.resent" | "workspace.invitation.revoked" | "workspace.invitation.declined" | "workspace.invitation.expired" | "workspace.api_key.created" | "workspace.api_key.updated" | "workspace.api_key.rotated" | "workspace.api_key.revoked" | "workspace.api_key.first_used" | "workspace.join_link.created" | "workspace.join_link.revoked" | "workspace.join_request.created" | "workspace.join_request.refused" | "workspace.join_request.withdrawn";
  /** When it happened. */
  time: string;
  /** Id of a project. */
  project_id: string;
  /** Id of a workspace. */
  workspace_id?: string;
  actor: EventActor;
  data: {
    /** Id of a user: a UUID, always returned in lower case. */
    user_id?: string;
    user?: EventUser;
    workspace?: EventWorkspace;
    /** Fields that were set, as in the request. */
    fields?: string[];
    /** The new value; empty if it was cleared. */
    app_metadata?: Record<string, unknown>;
    /** Id of the passkey. */
    passkey_id?: string;
    /** The identity provider. */
    provider?: string;
    /** Number of sessions ended. */
    count?: number;
    /** Id of a session. */
    session_id?: string;
    /** How the session was started. */
    method?: string;
    /** The person who acts as the user in the session. */
    impersonator?: string;
    /** The reason why this person acts as the user. */
    reason?: string;
    /** The address that the mail went to. */
    email?: string;
    /** permanent: the service sends no more mail to the address. */
    bounce_type?: "permanent" | "transient" | "undetermined";
    /** The purpose of the mail, such as sign_up. */
    mail_kind?: string;
    domain?: string;
    /** Id of the membership or invitation. */
    member_id?: string;
    /** Id of a user: a UUID, always returned in lower case. */
    owner_id?: string;
    /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
    role?: string;
    /** A permission: resource and action. */
    permission?: string;
    /** Of the permission. */
    description?: string | null;
    /** The permissions that the role holds itself. */
    permissions?: string[];
    /** Roles whose permissions the role also has. */
    inherits?: string[];
    /** How the user joined. */
    via?: string;
    /** Id of the join link. */
    link_id?: string;
    /** Id of the API key. */
    key_id?: string;
  };
  previous?: {
    /** Id of a user: a UUID, always returned in lower case. */
    user_id?: string;
    user?: FormerEventUser;
    workspace?: FormerEventWorkspace;
    /** Fields that were set, as in the request. */
    fields?: string[];
    /** The new value; empty if it was cleared. */
    app_metadata?: Record<string, unknown>;
    /** Id of the passkey. */
    passkey_id?: string;
    /** The identity provider. */
    provider?: string;
    /** Number of sessions ended. */
    count?: number;
    /** Id of a session. */
    session_id?: string;
    /** How the session was started. */
    method?: string;
    /** The person who acts as the user in the session. */
    impersonator?: string;
    /** The reason why this person acts as the user. */
    reason?: string;
    /** The address that the mail went to. */
    email?: string;
    /** permanent: the service sends no more mail to the address. */
    bounce_type?: "permanent" | "transient" | "undetermined";
    /** The purpose of the mail, such as sign_up. */
    mail_kind?: string;
    domain?: string;
    /** Id of the membership or invitation. */
    member_id?: string;
    /** Id of a user: a UUID, always returned in lower case. */
    owner_id?: string;
    /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
    role?: string;
    /** A permission: resource and action. */
    permission?: string;
    /** Of the permission. */
    description?: string | null;
    /** The permissions that the role holds itself. */
    permissions?: string[];
    /** Roles whose permissions the role also has. */
    inherits?: string[];
    /** How the user joined. */
    via?: string;
    /** Id of the join link. */
    link_id?: string;
    /** Id of the API key. */
    key_id?: string;
  };
};

/** The caller: a user (by uid), the project's backend (by the id of the secret that it used), an API key (by its id) or the service itself. */
export type EventActor = {
  kind: "user" | "key" | "api_key" | "service";
  id: string;
  /** The person who acted as the user. */
  impersonator?: string;
  /** The user whose API key was used. */
  user_id?: string;
  /** The workspace whose API key was used. */
  workspace_id?: string;
};

export type EventUser = {
  /** Id of a user: a UUID, always returned in lower case. */
  uid?: string;
  email?: string;
  verified?: {
    email: boolean;
    sms?: boolean;
  };
  display_name?: string;
  preferred_username?: string;
  name?: {
    given_name?: string;
    family_name?: string;
    formatted?: string;
  };
  profile_url?: string;
  thumbnail_url?: string;
  current_location?: string;
  agreed_tos_at?: string;
  agreed_sign_up_at?: string;
  disabled?: boolean;
  external_id?: string;
  created_at?: string;
  modified_at?: string;
};

export type EventWorkspace = {
  /** Id of a workspace. */
  workspace_id?: string;
  name?: string;
  logo_url?: string;
  description?: string;
  /** Id of a user: a UUID, always returned in lower case. */
  owner_id?: string;
  domains?: ({
    domain: string;
    mode: string;
  })[];
  created_at?: string;
  modified_at?: string;
  external_id?: string;
  mfa_required_at?: string;
  deleted_at?: string;
};

export type FormerEventUser = {
  uid?: (string | null);
  email?: string | null;
  verified?: ({
    email: boolean;
    sms?: boolean;
  } | null);
  display_name?: string | null;
  preferred_username?: string | null;
  name?: ({
    given_name?: string;
    family_name?: string;
    formatted?: string;
  } | null);
  profile_url?: string | null;
  thumbnail_url?: string | null;
  current_location?: string | null;
  agreed_tos_at?: string | null;
  agreed_sign_up_at?: string | null;
  disabled?: boolean | null;
  external_id?: string | null;
  created_at?: string | null;
  modified_at?: string | null;
};

export type FormerEventWorkspace = {
  workspace_id?: (string | null);
  name?: string | null;
  logo_url?: string | null;
  description?: string | null;
  owner_id?: (string | null);
  domains?: (({
    domain: string;
    mode: string;
  })[] | null);
  created_at?: string | null;
  modified_at?: string | null;
  external_id?: string | null;
  mfa_required_at?: string | null;
  deleted_at?: string | null;
};

export type DeletedWorkspace = {
  /** Id of a workspace. */
  workspace_id: string;
  /** Id of a project. */
  project_id: string;
  name: string;
  invitation_url: string;
  /** Id of a user: a UUID, always returned in lower case. */
  owner_id: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  modified_at: string;
  description?: string;
  total_member_count: number;
  /** Whether members need a second factor or a passkey; absent if they do not. */
  require_mfa?: boolean;
  /** From when on they need it. */
  mfa_required_at?: string;
  allowed_domain: string[];
  /** RFC 3339; responses have UTC, with milliseconds. */
  deleted_at: string;
};

/** What is not set is absent. */
export type WorkspaceMetadata = {
  app_metadata?: Record<string, unknown>;
  /** Only for the backend. */
  private_metadata?: Record<string, unknown>;
};

export type Domain = {
  domain: string;
  /** auto: users with a verified e-mail in the domain may join at once. suggest: they may request to join. off: neither. */
  mode: "suggest" | "auto" | "off";
  /** RFC 3339; responses have UTC, with milliseconds. */
  proven_at?: string;
  /** The DNS record that verifies the domain. */
  record: {
    type: "TXT";
    name: string;
    value: string;
  };
};

export type InvitedWorkspace = {
  /** Id of a workspace. */
  workspace_id: string;
  /** Id of a project. */
  project_id: string;
  name: string;
  invitation_url: string;
  logo_url?: string;
  /** Id of a user: a UUID, always returned in lower case. */
  owner_id: string;
  owner_email: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  modified_at: string;
  allowed_domains: string[];
  description?: string;
  total_member_count: number;
  /** Whether members need a second factor or a passkey; absent if they do not. */
  require_mfa?: boolean;
  /** From when on they need it. */
  mfa_required_at?: string;
  inviter_email: string;
};

export type SameDomainWorkspace = {
  /** Id of a workspace. */
  workspace_id: string;
  /** Id of a project. */
  project_id: string;
  name: string;
  logo_url?: string;
  description?: string;
  total_member_count: number;
  domain: string;
  /** auto: POST /workspaces/join makes the caller a member. suggest: the caller may request to join. */
  mode?: "suggest" | "auto";
  /** Present, and true, if the workspace has verified by DNS that it owns the domain. */
  proven?: boolean;
};

export type RequestedWorkspace = {
  /** Id of a workspace. */
  workspace_id: string;
  /** Id of a project. */
  project_id: string;
  name: string;
  logo_url?: string;
  description?: string;
  total_member_count: number;
  /** RFC 3339; responses have UTC, with milliseconds. */
  requested_at: string;
};

export type Member = {
  /** Id of a membership. */
  member_id: string;
  /** Id of a workspace. */
  workspace_id: string;
  email: string;
  /** Id of a user: a UUID, always returned in lower case. */
  inviter_id: string;
  inviter_email: string;
  /** Status of a membership. */
  status: "accepted" | "pending";
  /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
  role: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  modified_at: string;
  /** Id of a user: a UUID, always returned in lower case. */
  user_id: string;
  /** Present, and true, while the membership is suspended. */
  suspended?: boolean;
  /** Written by the backend; shown to it, to admins and to the member. */
  app_metadata?: Record<string, unknown>;
};

export type ListedMember = {
  /** Id of a user: a UUID, always returned in lower case. */
  uid: string;
  /** Id of a project. */
  project_id: string;
  email: string;
  profile_url: string;
  preferred_username: string;
  thumbnail_url: string;
  name: {
    given_name: string;
    family_name: string;
    formatted: string;
  };
  display_name: string;
  about_me: string;
  current_location: string;
  social?: string;
  sign_in_methods?: Record<string, {
    enabled: boolean;
  }>;
  verified: {
    email: boolean;
    sms?: boolean;
  };
  address: string;
  wallet: {
    /** EVM address, EIP-55; empty: no wallet yet. */
    address: string;
    type: string;
  };
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  modified_at: string;
  photos: ({
    value: string;
    type?: string;
    primary?: boolean;
    display?: string;
  })[];
  urls: ({
    value: string;
    type?: string;
    primary?: boolean;
    display?: string;
  })[];
  /** RFC 3339; responses have UTC, with milliseconds. */
  last_sign_in_at?: string;
  agreed_terms?: {
    /** RFC 3339; responses have UTC, with milliseconds. */
    tos?: string;
    /** RFC 3339; responses have UTC, with milliseconds. */
    sign_up?: string;
  };
  /** Present, and true, while disabled. */
  disabled?: boolean;
  /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
  role: string;
  /** Id of a membership. */
  member_id: string;
  suspended?: boolean;
};

export type UserWithRole = {
  /** Id of a user: a UUID, always returned in lower case. */
  uid: string;
  /** Id of a project. */
  project_id: string;
  email: string;
  profile_url: string;
  preferred_username: string;
  thumbnail_url: string;
  name: {
    given_name: string;
    family_name: string;
    formatted: string;
  };
  display_name: string;
  about_me: string;
  current_location: string;
  social?: string;
  sign_in_methods?: Record<string, {
    enabled: boolean;
  }>;
  verified: {
    email: boolean;
    sms?: boolean;
  };
  address: string;
  wallet: {
    /** EVM address, EIP-55; empty: no wallet yet. */
    address: string;
    type: string;
  };
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  modified_at: string;
  photos: ({
    value: string;
    type?: string;
    primary?: boolean;
    display?: string;
  })[];
  urls: ({
    value: string;
    type?: string;
    primary?: boolean;
    display?: string;
  })[];
  /** RFC 3339; responses have UTC, with milliseconds. */
  last_sign_in_at?: string;
  agreed_terms?: {
    /** RFC 3339; responses have UTC, with milliseconds. */
    tos?: string;
    /** RFC 3339; responses have UTC, with milliseconds. */
    sign_up?: string;
  };
  /** Present, and true, while disabled. */
  disabled?: boolean;
  /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
  role: string;
};

export type InvitationResults = {
  dry_run: boolean;
  /** Number of rows that were, or would be, invited. */
  invited: number;
  /** One for each row, in the same order. */
  results: ({
    email: string;
    /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
    role: string;
    /** duplicate: an earlier row names the same e-mail. too_many_requests: the e-mail was invited too many times today. unprocessed: time ran out; send the rows again with another Idempotency-Key: rows already done return invitation_exists. */
    outcome: "invited" | "invitation_exists" | "already_member" | "duplicate" | "invitation_limit_reached" | "too_many_requests" | "unprocessed";
    /** The new or existing invitation; only a new one has its link and its message. Absent if the existing one went to an address that the user had before. */
    invitation?: Invitation;
  })[];
};

export type Invitation = {
  /** Id of a membership. */
  member_id: string;
  /** Id of a workspace. */
  workspace_id: string;
  email: string;
  /** Id of a user: a UUID, always returned in lower case. */
  inviter_id: string;
  inviter_email: string;
  /** Status of a membership. */
  status: "accepted" | "pending";
  /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
  role: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  modified_at: string;
  /** Id of a user: a UUID, always returned in lower case. */
  user_id: string;
  /** Present, and true, while the membership is suspended. */
  suspended?: boolean;
  /** Written by the backend; shown to it, to admins and to the member. */
  app_metadata?: Record<string, unknown>;
  state: "pending" | "expired";
  /** RFC 3339; responses have UTC, with milliseconds. */
  expires_at: string;
  message?: string;
  /** For the inviter, to deliver by other means than mail. Only the invitee can use it, signed in. */
  link?: string;
};

export type JoinRequest = {
  /** Id of a workspace. */
  workspace_id: string;
  /** Id of a user: a UUID, always returned in lower case. */
  user_id: string;
  message?: string | undefined;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
};

export type ListedJoinRequest = {
  /** Id of a workspace. */
  workspace_id: string;
  /** Id of a user: a UUID, always returned in lower case. */
  user_id: string;
  message?: string | undefined;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  user: {
    /** Id of a user: a UUID, always returned in lower case. */
    uid: string;
    email: string;
    profile_url: string;
    preferred_username: string;
    thumbnail_url: string;
    name: {
      given_name: string;
      family_name: string;
      formatted: string;
    };
    display_name: string;
    verified: {
      email: boolean;
      sms?: boolean | undefined;
    };
  };
};

export type NewJoinLink = {
  /** Id of a join link. */
  link_id: string;
  /** Id of a workspace. */
  workspace_id: string;
  /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
  role: string;
  restrict_to_allowed_domains: boolean;
  /** Number of users who joined with it. */
  use_count: number;
  max_uses?: number;
  /** Absent if the backend created it. */
  created_by?: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  expires_at: string;
  /** For join_token of POST /workspaces/join. */
  token: string;
  /** invitation_url, or the hosted page for it, with the token in its fragment. */
  url: string;
};

export type JoinLink = {
  /** Id of a join link. */
  link_id: string;
  /** Id of a workspace. */
  workspace_id: string;
  /** Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`. */
  role: string;
  restrict_to_allowed_domains: boolean;
  /** Number of users who joined with it. */
  use_count: number;
  max_uses?: number;
  /** Absent if the backend created it. */
  created_by?: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  expires_at: string;
};

export type NewApiKey = {
  /** Id of an API key. */
  key_id: string;
  /** The purpose of the key. */
  name: string;
  /** The role of a workspace key in its workspace. */
  role?: "member" | "admin";
  /** Limits the key to these permissions of the service and of the project. */
  permissions?: string[];
  /** Absent without any. */
  metadata?: Record<string, unknown>;
  /** The user who created a workspace key; absent if the backend created it. */
  created_by?: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  expires_at?: string;
  /** The last day (UTC) on which the key was used. Only in lists; absent if the key was never used. */
  last_used_on?: string;
  /** The time until which the text from before the last rotation is valid. */
  previous_expires_at?: string;
  /** The key itself. It is not shown again. */
  key: string;
};

export type RevokedApiKey = {
  /** Id of an API key. */
  key_id: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  revoked_at: string;
};

/** If the key is not valid, the response has nothing about the key. */
export type VerifiedApiKey = {
  valid: boolean;
  /** Id of an API key. */
  key_id?: string;
  /** The purpose of the key. */
  name?: string;
  /** The user as whom the key acts. */
  uid?: string;
  /** The workspace of the key, or the workspace in the request. */
  workspace_id?: string;
  /** The role of the key, or of its user, in the workspace. Absent if the user is not a member. A limited key may have fewer permissions than its role: decide by `permissions`. */
  role?: string;
  /** The permissions of the key in the workspace now; it can use a permission of the service only with the routes that accept keys. Without a workspace: the permissions that the user has limited the key to, if any. The user may not have these permissions, so they grant nothing. */
  permissions?: string[];
  /** Written by the people who manage the key: it proves nothing. */
  metadata?: Record<string, unknown>;
  /** RFC 3339; responses have UTC, with milliseconds. */
  expires_at?: string;
  /** Seconds until the key is valid again, after it reached the uses per minute that the project allows. */
  retry_after?: number;
};

export type Permission = {
  /** A permission: resource and action. */
  permission: string;
  description?: string;
  /** Whether it is a permission of the service, which exists in every project and cannot be changed. */
  built_in: boolean;
};

export type PermissionChecks = {
  /** One for each check, in their order. */
  results: CheckedPermissions[];
};

export type CheckedPermissions = {
  /** Whether the user has all of the permissions. */
  allowed: boolean;
  /** The role of the user in the workspace. Absent if the user is not an active member of it. */
  role?: string;
  /** The permissions that the user does not have. */
  missing: string[];
};

export type OwnPermissions = {
  /** What the user is in the workspace: `owner`, or the role. */
  role: string;
  /** The permissions of the service and of the project, sorted. */
  permissions: string[];
};

export type Role = {
  role: string;
  /** The name that users see. */
  name?: string;
  description?: string;
  /** The permissions that the role holds itself, sorted. */
  permissions: string[];
  /** Roles whose permissions the role also has, as they are at each request. */
  inherits: string[];
  /** All permissions of a member with the role, sorted. */
  effective_permissions: string[];
  /** Whether it is a role of every project: owner, admin or member. */
  built_in: boolean;
};

export type WorkspaceRole = {
  role: string;
  /** The name that users see. */
  name?: string;
  description?: string;
  /** The permissions that the role holds itself, sorted. */
  permissions: string[];
  /** Roles whose permissions the role also has, as they are at each request. */
  inherits: string[];
  /** All permissions of a member with the role, sorted. */
  effective_permissions: string[];
  /** Whether it is a role of every project: owner, admin or member. */
  built_in: boolean;
  /** Whether it is a role of the workspace's own, whose name begins with `ws-`. */
  own: boolean;
  /** Whether the caller may give the role to a member or invitee. */
  assignable: boolean;
  /** Whether the caller may create a join link that gives the role. */
  assignable_by_link: boolean;
};

export type WebhookWithSecret = {
  /** Id of a webhook. */
  webhook_id: string;
  url: string;
  /** Empty: every type. */
  event_types: ("user.created" | "user.updated" | "user.metadata_changed" | "user.email_changed" | "user.email_verified" | "user.disabled" | "user.enabled" | "user.password_changed" | "user.password_exported" | "user.identity_linked" | "user.identity_unlinked" | "user.api_key.created" | "user.api_key.updated" | "user.api_key.rotated" | "user.api_key.revoked" | "user.api_key.first_used" | "user.passkey_added" | "user.passkey_removed" | "user.passkey_counter_decreased" | "user.factor_added" | "user.factor_removed" | "user.recovery_codes_renewed" | "user.recovery_code_used" | "user.sessions_ended" | "user.deleted" | "session.started" | "session.reauthenticated" | "session.ended" | "session.reuse_detected" | "email.bounced" | "email.complained" | "permission.created" | "permission.updated" | "permission.deleted" | "role.created" | "role.updated" | "role.deleted" | "workspace.created" | "workspace.updated" | "workspace.metadata_changed" | "workspace.domains_changed" | "workspace.domain_proven" | "workspace.deleted" | "workspace.restored" | "workspace.ownership_offered" | "workspace.ownership_offer_ended" | "workspace.ownership_transferred" | "workspace.role.created" | "workspace.role.updated" | "workspace.role.deleted" | "workspace.member.added" | "workspace.member.joined" | "workspace.member.role_changed" | "workspace.member.metadata_changed" | "workspace.member.suspended" | "workspace.member.resumed" | "workspace.member.removed" | "workspace.member.left" | "workspace.invitation.created" | "workspace.invitation.resent" | "workspace.invitation.revoked" | "workspace.invitation.declined" | "workspace.invitation.expired" | "workspace.api_key.created" | "workspace.api_key.updated" | "workspace.api_key.rotated" | "workspace.api_key.revoked" | "workspace.api_key.first_used" | "workspace.join_link.created" | "workspace.join_link.revoked" | "workspace.join_request.created" | "workspace.join_request.refused" | "workspace.join_request.withdrawn")[];
  description: string;
  /** True: nothing is sent. */
  disabled: boolean;
  /** RFC 3339; responses have UTC, with milliseconds. */
  disabled_at?: string;
  /** The backend disabled it; the receiver answered 410; or every attempt failed for five days. */
  disabled_because?: "request" | "gone" | "failing";
  /** When the current run of failures began; absent after a success, and after an update with another `url` or `disabled: false`. */
  failing_since?: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  modified_at: string;
  /** The key that verifies signatures (Standard Webhooks). It is shown only once. */
  secret: string;
};

export type Webhook = {
  /** Id of a webhook. */
  webhook_id: string;
  url: string;
  /** Empty: every type. */
  event_types: ("user.created" | "user.updated" | "user.metadata_changed" | "user.email_changed" | "user.email_verified" | "user.disabled" | "user.enabled" | "user.password_changed" | "user.password_exported" | "user.identity_linked" | "user.identity_unlinked" | "user.api_key.created" | "user.api_key.updated" | "user.api_key.rotated" | "user.api_key.revoked" | "user.api_key.first_used" | "user.passkey_added" | "user.passkey_removed" | "user.passkey_counter_decreased" | "user.factor_added" | "user.factor_removed" | "user.recovery_codes_renewed" | "user.recovery_code_used" | "user.sessions_ended" | "user.deleted" | "session.started" | "session.reauthenticated" | "session.ended" | "session.reuse_detected" | "email.bounced" | "email.complained" | "permission.created" | "permission.updated" | "permission.deleted" | "role.created" | "role.updated" | "role.deleted" | "workspace.created" | "workspace.updated" | "workspace.metadata_changed" | "workspace.domains_changed" | "workspace.domain_proven" | "workspace.deleted" | "workspace.restored" | "workspace.ownership_offered" | "workspace.ownership_offer_ended" | "workspace.ownership_transferred" | "workspace.role.created" | "workspace.role.updated" | "workspace.role.deleted" | "workspace.member.added" | "workspace.member.joined" | "workspace.member.role_changed" | "workspace.member.metadata_changed" | "workspace.member.suspended" | "workspace.member.resumed" | "workspace.member.removed" | "workspace.member.left" | "workspace.invitation.created" | "workspace.invitation.resent" | "workspace.invitation.revoked" | "workspace.invitation.declined" | "workspace.invitation.expired" | "workspace.api_key.created" | "workspace.api_key.updated" | "workspace.api_key.rotated" | "workspace.api_key.revoked" | "workspace.api_key.first_used" | "workspace.join_link.created" | "workspace.join_link.revoked" | "workspace.join_request.created" | "workspace.join_request.refused" | "workspace.join_request.withdrawn")[];
  description: string;
  /** True: nothing is sent. */
  disabled: boolean;
  /** RFC 3339; responses have UTC, with milliseconds. */
  disabled_at?: string;
  /** The backend disabled it; the receiver answered 410; or every attempt failed for five days. */
  disabled_because?: "request" | "gone" | "failing";
  /** When the current run of failures began; absent after a success, and after an update with another `url` or `disabled: false`. */
  failing_since?: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  created_at: string;
  /** RFC 3339; responses have UTC, with milliseconds. */
  modified_at: string;
};

export type WebhookAttempt = {
  /** Id of an event. */
  event_id: string;
  type: "user.created" | "user.updated" | "user.metadata_changed" | "user.email_changed" | "user.email_verified" | "user.disabled" | "user.enabled" | "user.password_changed" | "user.password_exported" | "user.identity_linked" | "user.identity_unlinked" | "user.api_key.created" | "user.api_key.updated" | "user.api_key.rotated" | "user.api_key.revoked" | "user.api_key.first_used" | "user.passkey_added" | "user.passkey_removed" | "user.passkey_counter_decreased" | "user.factor_added" | "user.factor_removed" | "user.recovery_codes_renewed" | "user.recovery_code_used" | "user.sessions_ended" | "user.deleted" | "session.started" | "session.reauthenticated" | "session.ended" | "session.reuse_detected" | "email.bounced" | "email.complained" | "permission.created" | "permission.updated" | "permission.deleted" | "role.created" | "role.updated" | "role.deleted" | "workspace.created" | "workspace.updated" | "workspace.metadata_changed" | "workspace.domains_changed" | "workspace.domain_proven" | "workspace.deleted" | "workspace.restored" | "workspace.ownership_offered" | "workspace.ownership_offer_ended" | "workspace.ownership_transferred" | "workspace.role.created" | "workspace.role.updated" | "workspace.role.deleted" | "workspace.member.added" | "workspace.member.joined" | "workspace.member.role_changed" | "workspace.member.metadata_changed" | "workspace.member.suspended" | "workspace.member.resumed" | "workspace.member.removed" | "workspace.member.left" | "workspace.invitation.created" | "workspace.invitation.resent" | "workspace.invitation.revoked" | "workspace.invitation.declined" | "workspace.invitation.expired" | "workspace.api_key.created" | "workspace.api_key.updated" | "workspace.api_key.rotated" | "workspace.api_key.revoked" | "workspace.api_key.first_used" | "workspace.join_link.created" | "workspace.join_link.revoked" | "workspace.join_request.created" | "workspace.join_request.refused" | "workspace.join_request.withdrawn";
  /** The number of the attempt, from 1; a redelivery starts at 1 again. */
  attempt: number;
  /** RFC 3339; responses have UTC, with milliseconds. */
  attempted_at: string;
  /** Any 2xx is a success. */
  status_code?: number;
  /** Why there was no answer. timeout: No response within 15 seconds. name_not_resolved: The host name does not resolve to an address. address_forbidden: The URL, or an address of its host name, is not on the public internet. tls_failed: The certificate is not valid for the host name, or TLS failed for another reason. connection_failed: The connection was refused or interrupted, or the response was not HTTP. receiver_failing: Not called: every call for more than a minute had failed, and another event of the type was sent within the last minute. */
  failure?: "timeout" | "name_not_resolved" | "address_forbidden" | "tls_failed" | "connection_failed" | "receiver_failing";
  /** RFC 3339; responses have UTC, with milliseconds. */
  next_attempt_at?: string;
};

export type LogEntry = {
  /** Sequence number of the event in the workspace, from 1. */
  number: number;
  event: Event;
  /** Hash of the previous entry; empty in the first. */
  previous_hash: string;
  /** SHA-256, base64url, of the canonical JSON (RFC 8785) of number, event and previous_hash. */
  hash: string;
};

export type Statistics = {
  /** The time since which everything is counted: the creation of the project, or the first event after the upgrade to 0.10.0. Earlier days are left out. Absent before that event. */
  counted_since?: string;
  /** The current numbers of the project, without deleted data. Absent until the data from before the upgrade to 0.10.0 has been counted. */
  totals?: {
    users: number;
    workspaces: number;
    /** Accepted memberships of all workspaces, owners included. */
    members: number;
  };
  /** Oldest first; the last one is today. */
  days: DayStatistics[];
  /** The months of these days, oldest first, each from its first day on. */
  months: MonthStatistics[];
};

export type DayStatistics = {
  /** The day (UTC). */
  date: string;
  /** Users created. */
  new_users: number;
  /** Users with a session that was started or renewed, each user counted once. */
  active_users: number;
  /** Sessions started, by method as `sessions.list` names it: `idpw`, `email_code`, `email_link`, `passkey`, an identity provider, or `project` for those that the backend started. Methods without sign-ins are absent. */
  sign_ins: Record<string, number>;
  /** Sign-ins rejected for a wrong password, code or identity token, by method, whether or not the account exists. Sign-ins rejected by a rate limit are not counted. A failure is missing if its function crashed or the table rejected the count. */
  sign_in_failures: Record<string, number>;
  /** Passwords locked after 100 failures in a row until the user sets a new one by mail, whether or not the account exists. A lock is missing if its function crashed or the table rejected the count. */
  lockouts: number;
  /** Users invited; invitations sent again are not counted. */
  invitations_created: number;
  /** Invitations accepted by the invitee. */
  invitations_accepted: number;
};

export type MonthStatistics = {
  /** The month (UTC). */
  month: string;
  /** Users with a session that was started or renewed, each user counted once. */
  active_users: number;
};

export type PublicProject = {
  /** Id of a project. */
  project_id: string;
  name: string;
  branding?: {
    /** A data: URL. */
    logo?: string;
    color?: string;
    links?: {
      home?: string;
      terms?: string;
      privacy?: string;
      support?: string;
    };
  };
  /** Whether users may sign up by themselves. */
  sign_up: boolean;
  /** Who may create workspaces besides the backend: nobody, users with a verified e-mail, or every user. */
  workspace_creation: "backend" | "verified" | "anyone";
  /** Whether workspaces may define roles of their own. */
  workspace_roles: boolean;
  methods: {
    password: boolean;
    passkey: boolean;
    /** Whether users sign in with a mailed code. */
    code: boolean;
    /** Whether users sign in with a mailed link. */
    link: boolean;
    identity_providers: ({
      /** provider of POST /sessions/identity. */
      name: string;
      issuer: string;
      client_ids: string[];
      /** The URL to which the hosted pages send users to sign in, for the first client id. */
      authorization_endpoint?: string;
    })[];
    /** The providers of `GET /oauth/{provider}/start`, by name. */
    sign_in_providers: ({
      name: string;
      preset: "google" | "microsoft" | "apple" | "github" | "gitlab" | "linkedin" | "discord" | "slack" | "facebook" | "oidc";
    })[];
  };
  /** Whether users may, or must, have a second factor. */
  mfa: "off" | "optional" | "required";
  min_password_length: number;
};

export type RsaKey = {
  kty: "RSA";
  use: "sig";
  alg: "RS256";
  kid: string;
  n: string;
  e: string;
};

export type EcKey = {
  kty: "EC";
  crv: "P-256";
  use: "sig";
  alg: "ES256";
  kid: string;
  x: string;
  y: string;
};

export type ProviderMetadata = {
  issuer: string;
  jwks_uri: string;
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint: string;
  end_session_endpoint: string;
  response_types_supported: string[];
  response_modes_supported: string[];
  grant_types_supported: string[];
  code_challenge_methods_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  scopes_supported: string[];
  prompt_values_supported: string[];
  acr_values_supported: string[];
  subject_types_supported: string[];
  id_token_signing_alg_values_supported: string[];
  claims_supported: string[];
  claims_parameter_supported: boolean;
  request_parameter_supported: boolean;
  request_uri_parameter_supported: boolean;
  authorization_response_iss_parameter_supported: boolean;
};

export type EventType = "user.created" | "user.updated" | "user.metadata_changed" | "user.email_changed" | "user.email_verified" | "user.disabled" | "user.enabled" | "user.password_changed" | "user.password_exported" | "user.identity_linked" | "user.identity_unlinked" | "user.api_key.created" | "user.api_key.updated" | "user.api_key.rotated" | "user.api_key.revoked" | "user.api_key.first_used" | "user.passkey_added" | "user.passkey_removed" | "user.passkey_counter_decreased" | "user.factor_added" | "user.factor_removed" | "user.recovery_codes_renewed" | "user.recovery_code_used" | "user.sessions_ended" | "user.deleted" | "session.started" | "session.reauthenticated" | "session.ended" | "session.reuse_detected" | "email.bounced" | "email.complained" | "permission.created" | "permission.updated" | "permission.deleted" | "role.created" | "role.updated" | "role.deleted" | "workspace.created" | "workspace.updated" | "workspace.metadata_changed" | "workspace.domains_changed" | "workspace.domain_proven" | "workspace.deleted" | "workspace.restored" | "workspace.ownership_offered" | "workspace.ownership_offer_ended" | "workspace.ownership_transferred" | "workspace.role.created" | "workspace.role.updated" | "workspace.role.deleted" | "workspace.member.added" | "workspace.member.joined" | "workspace.member.role_changed" | "workspace.member.metadata_changed" | "workspace.member.suspended" | "workspace.member.resumed" | "workspace.member.removed" | "workspace.member.left" | "workspace.invitation.created" | "workspace.invitation.resent" | "workspace.invitation.revoked" | "workspace.invitation.declined" | "workspace.invitation.expired" | "workspace.api_key.created" | "workspace.api_key.updated" | "workspace.api_key.rotated" | "workspace.api_key.revoked" | "workspace.api_key.first_used" | "workspace.join_link.created" | "workspace.join_link.revoked" | "workspace.join_request.created" | "workspace.join_request.refused" | "workspace.join_request.withdrawn";

/** The operations that no page calls as its user: those of a project's backend, the refresh, and documents. */
export type NotForUsers = {
  sessions: "create" | "refresh" | "reauthenticate" | "introspect";
  links: "start" | "showCode" | "signIn";
  factors: "startTotp" | "confirmTotp" | "list" | "deleteTotp" | "renewRecoveryCodes" | "startEnrolment" | "confirmEnrolment" | "reset";
  identities: "getTokenOfUser";
  users: "create" | "list" | "import" | "get" | "search" | "getDeletion";
  workspaces: "setMetadata" | "mergeMetadata";
  members: "setMetadata" | "mergeMetadata";
  apiKeys: "listOfUser" | "revokeOfUser" | "verify";
  permissions: "list" | "get" | "set" | "delete";
  roles: "list" | "get" | "set" | "delete";
  workspaceRoles: "get" | "set" | "delete";
  webhooks: "create" | "list" | "get" | "update" | "delete" | "rotateSecret" | "listAttempts" | "redeliver";
  events: "list";
  stats: "get";
  discovery: "jwks" | "openidConfiguration";
  docs: "home" | "openapi" | "page" | "asset";
};

/** Every operation of the service: `client.members.add({ workspace_id, user_id, role })`. */
export type Api = {
  sessions: {
    /**
     * Start a session for a user whom the project's backend has authenticated.
     *
     * The backend vouches for the user; the service checks only that the user exists and is not disabled. A user has at most 50 sessions. A further session ends the oldest impersonated session; if there is none, the oldest session that an OAuth client started; otherwise the oldest session. With `actor`, another person, such as your support, acts as the user, if the project allows it. The access token of such a session is valid for 60 minutes, names both people (`act`, RFC 8693) and cannot be renewed. It cannot change passwords, the e-mail, identities, ownership or other sessions, and cannot delete the user. Every event names both people. The user sees the session, can end it, and gets a mail if the project has turned that on. The session ends when the project no longer allows impersonation.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `sessions:create`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `session.started`, `session.ended`.
     */
    create: Call<SessionsCreateRequest, Session>;
    /**
     * The live sessions of a user, newest first.
     *
     * A user lists their own sessions, and the response marks the current one. The backend names the user in `user_id`.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `sessions:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    list: Call<{
      /** The user whose sessions the request is about. Required with Basic; with Bearer it is the caller: anybody else is 404. */
      user_id?: string | undefined;
    }, Paged<SessionInfo>>;
    /**
     * End every session of a user; with Bearer, all except the current one.
     *
     * Returns the number of sessions that ended. The tokens of these sessions are rejected from the next request on.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token); nobody who acts as the user.
     * - **Scope:** `sessions:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.sessions_ended`.
     */
    endAll: Call<{
      /** The user whose sessions the request is about. Required with Basic; with Bearer it is the caller: anybody else is 404. */
      user_id?: string | undefined;
    }, EndedSessions>;
    /**
     * End a session; its next request is rejected.
     *
     * A user can end their own sessions, such as the session of a lost device. The backend can end a session of any user.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token); nobody who acts as the user.
     * - **Scope:** `sessions:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `session.ended`.
     */
    end: Call<{
      /** Id of a session. */
      session_id: string;
      /** The user whose sessions the request is about. Required with Basic; with Bearer it is the caller: anybody else is 404. */
      user_id?: string | undefined;
    }, EndedSession>;
    /**
     * Sign out: end the current session.
     *
     * Both tokens of the session are rejected from the next request on. Other sessions of the user stay valid.
     *
     * - **Caller:** a user (Bearer, access token).
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `session.ended`.
     */
    signOut: Call<Record<string, never>, EndedSession>;
    /**
     * Renew a session with its refresh token.
     *
     * Returns a new access token and a new refresh token. The previous refresh token returns the same new tokens for 60 seconds, so that a client can retry after a lost response. An older refresh token revokes the session. A session can be renewed 60 times at once, and once in 10 seconds on average. Sessions of a deleted OAuth client are rejected.
     *
     * - **Caller:** a session (Bearer, refresh token).
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `session.reuse_detected`.
     */
    refresh: Call<SessionsRefreshRequest, Session>;
    /**
     * Choose the active workspace of the session; returns an access token that names it.
     *
     * The new access token, and every later access token of this session, has the workspace in `workspace_id` and the role of the user there in `workspace_role`. New tokens have no workspace once the user has left it, was removed or suspended, once the workspace was deleted, or while it requires a second factor that the session does not have. The service itself rejects such a user at once, whatever the token says. The new token expires at the same time as the token of the request. The refresh token stays valid.
     *
     * - **Caller:** a user (Bearer, access token).
     * - **Permission:** `workspace:read` (the owner, admins, members).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    selectWorkspace: Call<SessionsSelectWorkspaceRequest, SelectedWorkspace>;
    /**
     * Sign in again within the current session; returns an access token with the new `auth_time`.
     *
     * The user proves who they are. Send exactly one of: the password, a code of the authenticator app, a recovery code, or a passkey (the answer to `POST /sessions/passkey/options`). The project must have enabled it as a sign-in method. A user who has none of these signs in again instead. A user whose sign-ins require their second factor must send a code, a recovery code or a passkey; the password returns 400. The time of this request becomes the sign-in time of the session, and the `auth_time` of every later token. The first second factor is added to `amr` and `acr`; nothing is removed from them. The refresh token stays valid. Routes with `reauthentication_required` accept the session for the next 10 minutes.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 10 wrong passwords for an account in 15 minutes; 10 wrong codes of a user in 15 minutes; 100 failed attempts from a network in 10 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `session.reauthenticated`, `user.recovery_code_used`, `user.passkey_counter_decreased`.
     */
    reauthenticate: Call<SessionsReauthenticateRequest, Reauthenticated>;
    /**
     * Check whether an access token is valid and its session has not ended (RFC 7662).
     *
     * For backends that must know at this moment whether a session has ended; other backends verify the token with the public keys. `workspace_role` is the current role of the user in the workspace, which may differ from the role in the token. Claims that the project adds to its tokens (`token_claims`) are returned as they are in the token. Changes nothing.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `sessions:introspect`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    introspect: Call<SessionsIntrospectRequest, Introspection>;
  };
  passwords: {
    /**
     * Start signing up: sends a link whose token sets the first password.
     *
     * The response is the same whether or not a user has the e-mail, so it reveals no account. The user is created when the token sets the password.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds; 3 mails to an e-mail in 10 minutes; 20 mails to an e-mail in a day; 100 mails requested from a network in 10 minutes; 1,000 mails requested from an IPv6 /48 in 10 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    signUp: Call<PasswordsSignUpRequest, Mailed>;
    /**
     * Start a session with an e-mail and a password.
     *
     * An unknown e-mail and a wrong password get the same response. After 100 wrong passwords in a row, the password is locked until the user sets a new one by e-mail.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds; 10 wrong passwords for an account in 15 minutes; 100 failed attempts from a network in 10 minutes; 300 sign-ins of a user by one method, or for all clients, in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `session.started`, `session.ended`.
     */
    signIn: Call<PasswordsSignInRequest, Session>;
    /**
     * Send a link whose token sets a new password.
     *
     * The response is the same whether or not a user has the e-mail, so it reveals no account. The current password stays valid until the user sets a new one with the token.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds; 3 mails to an e-mail in 10 minutes; 20 mails to an e-mail in a day; 100 mails requested from a network in 10 minutes; 1,000 mails requested from an IPv6 /48 in 10 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    forgot: Call<PasswordsForgotRequest, Mailed>;
    /**
     * Set a password with the token from a mail, create the user if there is none, and start a session.
     *
     * Every other session and every API key of the user ends. If the e-mail was not verified before, every credential that was set up before is removed, because somebody else may have set it up.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.created`, `user.email_verified`, `user.password_changed`, `user.identity_unlinked`, `user.passkey_removed`, `user.factor_removed`, `user.sessions_ended`, `user.api_key.revoked`, `session.started`.
     */
    set: Call<PasswordsSetRequest, Session>;
    /**
     * Change the caller's password; ends every other session of the caller.
     *
     * The session of the request stays valid. The user gets a mail about the change.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 10 wrong passwords for an account in 15 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.password_changed`, `user.sessions_ended`.
     */
    change: Call<PasswordsChangeRequest, User>;
  };
  codes: {
    /**
     * Send a six-digit sign-in code by e-mail.
     *
     * The code is valid for 10 minutes and 5 attempts. The response is the same whether or not a user has the e-mail, so it reveals no account.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds; 3 mails to an e-mail in 10 minutes; 20 mails to an e-mail in a day; 100 mails requested from a network in 10 minutes; 1,000 mails requested from an IPv6 /48 in 10 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    start: Call<CodesStartRequest, Challenge>;
    /**
     * Start a session with the mailed code; creates the user if there is none.
     *
     * The sign-in also verifies the e-mail. If the e-mail was not verified before, every credential that was set up before is removed, because somebody else may have set it up.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds; 100 failed attempts from a network in 10 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.created`, `user.email_verified`, `user.identity_unlinked`, `user.passkey_removed`, `user.factor_removed`, `user.sessions_ended`, `user.api_key.revoked`, `session.started`, `session.ended`.
     */
    verify: Call<CodesVerifyRequest, Session>;
  };
  links: {
    /**
     * Send a sign-in link by e-mail, valid for the browser that requests it.
     *
     * The link is valid once, for 15 minutes and 5 attempts, and only with the `verifier` whose digest is the `challenge`. A person who opens, forwards or steals the link without the verifier cannot sign in. The link opens the page of the project, with `token` and `link_id` in the fragment. The response is the same whether or not a user has the e-mail, so it reveals no account.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds; 3 mails to an e-mail in 10 minutes; 20 mails to an e-mail in a day; 100 mails requested from a network in 10 minutes; 1,000 mails requested from an IPv6 /48 in 10 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    start: Call<LinksStartRequest, MailedLink>;
    /**
     * The code of a link that was opened in another browser; the user types it in the browser that requested the link.
     *
     * For the page of the link, when it is opened in a browser that does not have the verifier. The code is valid once, only with the verifier, and as long as the link. No code is accepted before this request. Send the request only when the user clicks. Ask the user to type the code in the browser that requested the link, and to give it to nobody.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds; 100 failed attempts from a network in 10 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    showCode: Call<LinksShowCodeRequest, LinkCode>;
    /**
     * Start a session with the mailed link; creates the user if there is none.
     *
     * Send the verifier, and either the token of the link or its code. A wrong verifier, token or code counts as an attempt, but the link stays valid. The sign-in also verifies the e-mail. If the e-mail was not verified before, every credential that was set up before is removed, because somebody else may have set it up.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds; 100 failed attempts from a network in 10 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.created`, `user.email_verified`, `user.identity_unlinked`, `user.passkey_removed`, `user.factor_removed`, `user.sessions_ended`, `user.api_key.revoked`, `session.started`, `session.ended`.
     */
    signIn: Call<LinksSignInRequest, Session>;
  };
  passkeys: {
    /**
     * The options with which a browser creates a passkey of the caller.
     *
     * Pass `publicKey` to `PublicKeyCredential.parseCreationOptionsFromJSON`, and the result to `navigator.credentials.create`. The challenge is valid once, for 5 minutes, in the session of the request. A user has at most 10 passkeys. A user without a password, or whose sign-ins require a second factor, must have signed in within the last 10 minutes, because a passkey counts as two factors.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 10 wrong passwords for an account in 15 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    startRegistration: Call<PasskeysStartRegistrationRequest, {
      publicKey: PasskeyCreationOptions;
    }>;
    /**
     * Add a passkey with which the caller can then sign in.
     *
     * Send the credential that the browser created from the options. The passkey belongs to the domain of the project (`rp_id`), and must verify the user by a PIN or biometrics. The user gets a mail about it.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.passkey_added`.
     */
    register: Call<PasskeysRegisterRequest, Passkey>;
    /**
     * The caller's passkeys, oldest first.
     *
     * The response has no keys, so nobody can sign in with it.
     *
     * - **Caller:** a user (Bearer, access token).
     * - **Retries:** safe to repeat.
     */
    list: Call<Record<string, never>, Paged<Passkey>>;
    /**
     * Rename a passkey of the caller.
     *
     * Only the user sees the name.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    rename: Call<{
      /** Id of a passkey: the digest of its credential id. */
      passkey_id: string;
    } & PasskeysRenameRequest, Passkey>;
    /**
     * Delete a passkey of the caller, who can no longer sign in with it.
     *
     * The last sign-in method of a user cannot be removed. The user gets a mail about the removal. Call `PublicKeyCredential.signalUnknownCredential` afterwards, so that the browser no longer offers the passkey.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 10 wrong passwords for an account in 15 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.passkey_removed`.
     */
    delete: Call<{
      /** Id of a passkey: the digest of its credential id. */
      passkey_id: string;
    } & PasskeysDeleteRequest, Passkey>;
    /**
     * The options with which a browser signs a user in with a passkey.
     *
     * The user does not enter an e-mail: the options name no credential, and the device offers the passkeys that it has. Pass `publicKey` to `PublicKeyCredential.parseRequestOptionsFromJSON`, and the result to `navigator.credentials.get`. Add `mediation: "conditional"` to offer the passkeys in the autofill of a field. The challenge is valid once, for 5 minutes.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    startSignIn: Call<PasskeysStartSignInRequest, {
      publicKey: PasskeyRequestOptions;
    }>;
    /**
     * Start a session with a passkey.
     *
     * An unknown passkey, a wrong signature and a challenge that was used or has expired get the same response. If the counter of the passkey decreased, the sign-in still succeeds; an event records it, and the user sees it in the list of passkeys.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds; 100 failed attempts from a network in 10 minutes; 300 sign-ins of a user by one method, or for all clients, in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.passkey_counter_decreased`, `session.started`, `session.ended`.
     */
    signIn: Call<PasskeysSignInRequest, Session>;
  };
  factors: {
    /**
     * Start to add an authenticator app for the caller.
     *
     * Show `uri` as a QR code; a user who cannot scan it types `secret`. The app becomes a factor once the user confirms it, in the same session and within 15 minutes. A new start replaces an unconfirmed app. A user without a password must have signed in within the last 10 minutes.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 10 wrong passwords for an account in 15 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    startTotp: Call<FactorsStartTotpRequest, TotpEnrolment>;
    /**
     * Remove the authenticator app of the caller, with its recovery codes.
     *
     * Send a code of the app, or a recovery code; a session alone is not enough. Rejected if the project requires a second factor. The user gets a mail about the removal.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 10 wrong codes of a user in 15 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.recovery_code_used`, `user.factor_removed`.
     */
    deleteTotp: Call<FactorsDeleteTotpRequest, Factor>;
    /**
     * Confirm the authenticator app by a first code, and get recovery codes.
     *
     * From then on every sign-in of the user requires the factor, except with a passkey, which counts as two factors. Show the recovery codes to the user: no other response has them. The user gets a mail about the new factor.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 10 wrong codes of a user in 15 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.factor_added`.
     */
    confirmTotp: Call<FactorsConfirmTotpRequest, NewFactor>;
    /**
     * The caller's second factor, if there is one.
     *
     * Shows how many recovery codes are left, but not the codes.
     *
     * - **Caller:** a user (Bearer, access token).
     * - **Retries:** safe to repeat.
     */
    list: Call<Record<string, never>, Paged<Factor>>;
    /**
     * Replace all recovery codes of the caller.
     *
     * Send a code of the app, or one of the recovery codes. The previous recovery codes become invalid. The user gets a mail about the new codes.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 10 wrong codes of a user in 15 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.recovery_code_used`, `user.recovery_codes_renewed`.
     */
    renewRecoveryCodes: Call<FactorsRenewRecoveryCodesRequest, RecoveryCodes>;
    /**
     * Finish a sign-in with the second factor, and start the session.
     *
     * Send the `mfa_token` of a response with `mfa_required`, and either a code or a recovery code. After a wrong code the token stays valid. The sign-in ends if the e-mail, a password, the profile or the factor of the user changes, or if all sessions of the user are ended. After 100 wrong codes in a row, only a recovery code is accepted. The user gets a mail when a recovery code was used, at most one mail a day about too many wrong codes, and one mail about the lock after the hundredth wrong code.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds; 10 wrong codes of a user in 15 minutes; 100 failed attempts from a network in 10 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.recovery_code_used`, `session.started`, `session.ended`.
     */
    signIn: Call<FactorsSignInRequest, Session>;
    /**
     * Start to add an authenticator app during a sign-in that requires it.
     *
     * For a response with `methods: ["enrol"]`: the project requires a second factor, and the user has not set one up. No password is needed, because the user has just completed the first factor. The user must confirm the app while the `mfa_token` is valid. A further call replaces the app.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    startEnrolment: Call<FactorsStartEnrolmentRequest, TotpEnrolment>;
    /**
     * Confirm that app by a first code, get recovery codes, and start the session.
     *
     * Returns what `POST /sessions/mfa` returns, and the recovery codes: show them to the user, because no other response has them. The `mfa_token` becomes invalid; after a wrong code it stays valid. The response is 404 if this sign-in has not started to add an app, or if another one has replaced that app. The user gets a mail about the new factor.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds; 10 wrong codes of a user in 15 minutes; 100 failed attempts from a network in 10 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.factor_added`, `session.started`, `session.ended`.
     */
    confirmEnrolment: Call<FactorsConfirmEnrolmentRequest, EnrolledSession>;
    /**
     * Remove the second factor of a user who has lost it.
     *
     * For users who have lost both their phone and their recovery codes. Verify the identity of the person who asks. The user gets a mail about the removal.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `users:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.factor_removed`.
     */
    reset: Call<{
      /** Id of a user: a UUID, always returned in lower case. */
      uid: string;
    }, Factor>;
  };
  identities: {
    /**
     * Link an account at an identity provider to the caller, who can then sign in with it.
     *
     * Send an ID token, or the code of a sign-in at the provider. If the request is rejected, the code stays valid. Linking also fills in the profile fields that the user has not set. The user gets a mail about the new account.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 10 wrong passwords for an account in 15 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.identity_linked`, `user.updated`.
     */
    link: Call<IdentitiesLinkRequest, User>;
    /**
     * Unlink the account at an identity provider from the caller.
     *
     * The last sign-in method of a user cannot be removed. The user gets a mail about the removal.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 10 wrong passwords for an account in 15 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.identity_unlinked`.
     */
    unlink: Call<{
      provider: string;
    } & IdentitiesUnlinkRequest, User>;
    /**
     * The caller's access token at an identity provider, for the provider's API.
     *
     * The project must keep the tokens of the provider (`keep_tokens`), and the user must have signed in with the provider or linked it since. A token that expires within a minute is refreshed first. While another request refreshes it, or if the provider does not respond, the response has the old token while it is still valid; see `expires_at`. Rejected under impersonation, with an API key, and in a session that an OAuth client started.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 30 refreshes of a user's token at one identity provider in 10 minutes; up to 12 seconds: set your client timeout higher.
     * - **Retries:** safe to repeat.
     */
    getToken: Call<{
      provider: string;
    }, ProviderToken>;
    /**
     * A user's access token at an identity provider, for the provider's API.
     *
     * Works like `GET /users/me/identities/{provider}/token`, for the backend. A project secret needs the scope of this operation itself: no other scope includes it, not even `*:read`.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `identities:token`, if the secret of the backend is limited to scopes.
     * - **Limits:** 30 refreshes of a user's token at one identity provider in 10 minutes; up to 12 seconds: set your client timeout higher.
     * - **Retries:** safe to repeat.
     */
    getTokenOfUser: Call<{
      /** Id of a user: a UUID, always returned in lower case. */
      uid: string;
      provider: string;
    }, ProviderToken>;
    /**
     * Start a session with an identity provider's ID token; creates the user if there is none.
     *
     * An account that is not linked yet is linked to the user who has its e-mail, under two conditions: the provider is authoritative for the e-mail; and the service has verified the e-mail, or the user was created only by an invitation, and then this sign-in verifies the e-mail. Otherwise the response is `identity_link_required`. The sign-in also fills in the profile fields that the user has not set.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds; 100 failed attempts from a network in 10 minutes; 300 sign-ins of a user by one method, or for all clients, in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.created`, `user.email_verified`, `user.updated`, `user.identity_linked`, `session.started`, `session.ended`.
     */
    signIn: Call<IdentitiesSignInRequest, Session>;
  };
  providers: {
    /**
     * Start a session with the code of a sign-in at an identity provider; creates the user if there is none.
     *
     * Signs in as `POST /sessions/identity` does, with the same rules for e-mails; the provider decides whether an e-mail is trusted. A successful sign-in makes the code invalid. If the request is rejected, the code stays valid for the rest of its 5 minutes: after `identity_link_required` the user can sign in with another method, and link the account with the code.
     *
     * - **Caller:** anyone; the body names the project.
     * - **Limits:** 250 requests to this operation of a project from a network in 10 seconds; 1,000 requests to this operation of a project in 10 seconds; 100 failed attempts from a network in 10 minutes; 300 sign-ins of a user by one method, or for all clients, in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.created`, `user.email_verified`, `user.updated`, `user.identity_linked`, `session.started`, `session.ended`.
     */
    signIn: Call<ProvidersSignInRequest, Session>;
  };
  emails: {
    /**
     * Send a link whose token verifies the caller's e-mail.
     *
     * The client sends the token to `POST /users/me/email/confirmation`. The token is valid for one day.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 3 mails to an e-mail in 10 minutes; 20 mails to an e-mail in a day; 100 mails requested from a network in 10 minutes; 1,000 mails requested from an IPv6 /48 in 10 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    verify: Call<Record<string, never>, Mailed>;
    /**
     * Send a link to a new e-mail; its token makes the new e-mail the caller's e-mail.
     *
     * The e-mail of the user stays the same until the token is sent to `POST /users/me/email/confirmation`. The response is the same whether or not another user has the e-mail.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 20 links mailed to new e-mails that a user asks to change to in a day; 3 mails to an e-mail in 10 minutes; 20 mails to an e-mail in a day; 100 mails requested from a network in 10 minutes; 1,000 mails requested from an IPv6 /48 in 10 minutes; 10 wrong passwords for an account in 15 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    change: Call<EmailsChangeRequest, Mailed>;
    /**
     * Verify an e-mail with the token that was sent to it.
     *
     * Accepts the token of the mail that verifies an e-mail or of the mail that changes it, only from the user who requested the mail. The first verification removes every credential that was set up before, except the method of the session.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.email_changed`, `user.email_verified`, `user.identity_unlinked`, `user.passkey_removed`, `user.factor_removed`, `user.sessions_ended`, `user.api_key.revoked`.
     */
    confirm: Call<EmailsConfirmRequest, User>;
  };
  users: {
    /**
     * The caller.
     *
     * The user of the access token, as currently stored.
     *
     * - **Caller:** a user (Bearer, access token) or a program of a user (Bearer, API key).
     * - **Retries:** safe to repeat.
     */
    getMe: Call<Record<string, never>, User>;
    /**
     * Get the user with an e-mail, or create it.
     *
     * Status 200 returns the existing user with the e-mail, unchanged except for a verification; status 201 returns the new user. A new user is rejected if another user has the `external_id`; for an existing user, `external_id` is ignored. The first verification removes every credential that was set up before, except the sessions of the backend.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `users:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.created`, `user.metadata_changed`, `user.email_verified`, `user.identity_unlinked`, `user.passkey_removed`, `user.factor_removed`, `user.sessions_ended`, `user.api_key.revoked`.
     */
    create: Call<UsersCreateRequest, User>;
    /**
     * The users of the project, by time of creation or by a search text.
     *
     * Lists the newest users first, or the oldest first with `order=asc`, created between `created_after` and `created_before`. With `email` or `external_id`, the list has only that user. With a text, it has the users who match, sorted by the value that matches; these pages may be short or empty before the last one. The next page is in the `Link` header. `total` is a minimum of the number of users; `GET /stats` counts all. Deleted users are not listed, and a new user is listed about a second after creation. A page costs the same however many users there are. Users from before 0.10.0 are listed once the operator has run `npm run backfill:directory`.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `users:read`, if the secret of the backend is limited to scopes.
     * - **Limits:** pages of 20, at most 100.
     * - **Retries:** safe to repeat.
     */
    list: Call<{
      /** By creation; default `desc`, the newest first. */
      order?: "desc" | "asc" | undefined;
      /** Only those created after this time. */
      created_after?: string | undefined;
      /** Only those created before this time. */
      created_before?: string | undefined;
      /** Only the user with this e-mail. Not together with another filter or cursor. */
      email?: string | undefined;
      /** Only the user with this external id. Not together with another filter or cursor. */
      external_id?: string | undefined;
      /** Only users whose e-mail, name or word of a name starts with this text, ignoring case. Lags by about a second. Not together with order or a time of creation. */
      query?: string | undefined;
      /** Maximum number to return; default 20, at most 100. */
      limit?: number | undefined;
      /** Where to continue: the cursor in the Link header of the previous page. Not together with offset. */
      cursor?: string | undefined;
    }, PagedAtLeast<User>>;
    /**
     * Create up to 100 users of another service, with their password hashes.
     *
     * Each user is created completely or not at all, independently of the others: an invalid user is reported and does not stop the rest. An existing user with the same `external_id` or e-mail is not changed, so you can send the request again. The service sends no mails. The first successful sign-in with an imported password hash replaces it by a hash of the service. `external_id` and e-mail must not belong to different users.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `users:write`, if the secret of the backend is limited to scopes.
     * - **Limits:** a body of at most 256 KiB; up to 20 seconds: set your client timeout higher.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.created`, `user.metadata_changed`, `user.identity_linked`.
     */
    import: Call<UsersImportRequest, UserImportResult>;
    /**
     * Get the user with a uid, or create it.
     *
     * An unknown uid creates a user without an e-mail, unless the project has turned that off: then the response is 404. The uid of a deleted user is never used again.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `users:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     * - **Events:** `user.created`.
     */
    get: Call<{
      /** Id of a user: a UUID, always returned in lower case. */
      uid: string;
    }, User>;
    /**
     * Change a user's profile; the backend may also change the e-mail and disable the user.
     *
     * Changes only the fields in the body. A new e-mail takes effect at once when the backend sets it; a user changes it with `POST /users/me/email`. Only the backend can set, change or clear `external_id`; the user can read it.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `users:write`, if the secret of the backend is limited to scopes.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `user.updated`, `user.email_changed`, `user.email_verified`, `user.disabled`, `user.enabled`, `user.sessions_ended`.
     */
    update: Call<{
      /** Id of a user: a UUID, always returned in lower case. */
      uid: string;
    } & UsersUpdateRequest, User>;
    /**
     * Delete a user, and the workspaces that have no other member; returns a receipt.
     *
     * Sessions and credentials end at once; memberships, invitations and join requests are removed soon after. If they are not within five minutes, another request of the backend starts that again. A user who owns a workspace with other members must transfer it first.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token); nobody who acts as the user.
     * - **Scope:** `users:write`, if the secret of the backend is limited to scopes.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 10 wrong passwords for an account in 15 minutes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `user.deleted`, `workspace.deleted`, `workspace.member.removed`, `workspace.invitation.revoked`, `workspace.join_request.withdrawn`, `workspace.ownership_offer_ended`.
     */
    delete: Call<{
      /** Id of a user: a UUID, always returned in lower case. */
      uid: string;
    } & UsersDeleteRequest, UserDeletion>;
    /**
     * Find users by their uids.
     *
     * Accepts at most 100 uids and leaves out unknown ones. Changes nothing.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `users:read`, if the secret of the backend is limited to scopes.
     * - **Limits:** pages of 20, at most 100.
     * - **Retries:** safe to repeat.
     */
    search: Call<UsersSearchRequest, Paged<FoundUser>>;
    /**
     * The receipt of a deleted user.
     *
     * The receipt has `completed_at` once every membership has been removed.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `users:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    getDeletion: Call<{
      /** Id of a user: a UUID, always returned in lower case. */
      uid: string;
    }, UserDeletion>;
    /**
     * The metadata of a user: your own data.
     *
     * An object that is not set is absent. Users read their own `user_metadata` and `app_metadata`; the backend also reads `private_metadata`. Each object is at most 4096 bytes as JSON and 8 levels deep.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `users:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    getMetadata: Call<{
      /** Id of a user: a UUID, always returned in lower case. */
      uid: string;
    }, UserMetadata>;
    /**
     * Replace objects of the metadata of a user.
     *
     * Replaces each object that is in the body and keeps the others; `{}` clears an object. Users can change only their own `user_metadata`, and may send `app_metadata` back unchanged. The backend can change every object.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `users:write`, if the secret of the backend is limited to scopes.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `user.metadata_changed`.
     */
    setMetadata: Call<{
      /** Id of a user: a UUID, always returned in lower case. */
      uid: string;
    } & UsersSetMetadataRequest, UserMetadata>;
    /**
     * Merge into the metadata of a user (RFC 7396).
     *
     * A JSON Merge Patch (RFC 7396), sent as `application/json` or `application/merge-patch+json`: `null` removes a field, or a whole object; arrays are replaced. Two patches at the same time lose nothing. Users can change only their own `user_metadata`; the backend can change every object.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `users:write`, if the secret of the backend is limited to scopes.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `user.metadata_changed`.
     */
    mergeMetadata: Call<{
      /** Id of a user: a UUID, always returned in lower case. */
      uid: string;
    } & UsersMergeMetadataRequest, UserMetadata>;
    /**
     * All data stored about a user: the first 100 of each list, the others by pages.
     *
     * Follow the Link header until a page has none, and join the lists of the pages. The export includes the events of the last 90 days. It does not include mails, which are kept for 7 days and can be found only by their own id. It also does not include the bounces and complaints of the e-mail address, which are events of the project. For the backend the first page says what keeps the user from signing in. `locks` has the password and the authenticator app: after 10 wrong attempts until a quarter of an hour ends; after 100 in a row, without an end, until the user sets a new password by mail, or shows a recovery code. The limit of a network is not among them. `mail_stopped` ends when you vouch for the e-mail. Users do not see these two; leave them out of what you hand to one.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `users:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    export: Call<{
      /** Id of a user: a UUID, always returned in lower case. */
      uid: string;
      /** Where to continue: the cursor in the Link header of the previous page. Not together with offset. */
      cursor?: string | undefined;
    }, UserExport>;
  };
  workspaces: {
    /**
     * Create a workspace owned by a user.
     *
     * The owner becomes the first admin of the workspace. Users can create their own workspaces if the project allows it (`workspace_creation`: `verified` requires a verified e-mail, `anyone` does not; the default `backend` allows only the backend). A user owns at most 500 workspaces and is a member of at most 1,000.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token); nobody who acts as the user.
     * - **Scope:** `workspaces:write`, if the secret of the backend is limited to scopes.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 50 workspaces created by a user in a day.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.created`, `workspace.metadata_changed`.
     */
    create: Call<WorkspacesCreateRequest, Workspace>;
    /**
     * The workspaces of a user, or all workspaces of the project.
     *
     * A user lists their own workspaces; the backend names the user in `user_id`. The list has only accepted memberships. A workspace in which the user is suspended is not listed, but may be counted and make its page shorter. Without `user_id` the backend lists all workspaces of the project: the newest first, or the oldest first with `order=asc`, created between `created_after` and `created_before`. With `external_id`, the list has only that workspace. With a text, it has the workspaces with a word in their name that starts with the text, sorted by that word; these pages may be short or empty before the last one. In the list of the project, a new workspace appears about a second after creation, `total` is a minimum of their number, and a page costs the same however many workspaces there are. Workspaces from before 0.10.0 are listed once the operator has run `npm run backfill:directory`.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key).
     * - **Scope:** `workspaces:read`, if the secret of the backend is limited to scopes.
     * - **Limits:** pages of 20, at most 100.
     * - **Retries:** safe to repeat.
     */
    list: Call<{
      /** The user whose workspaces are listed, in the order of their ids. With Bearer it is the caller: anybody else is 404. With Basic and without `user_id`, all workspaces of the project are listed. Not together with order, a time of creation or external_id. */
      user_id?: string | undefined;
      /** Only workspaces in which the user has this role. With Basic it needs `user_id`. */
      role?: string | undefined;
      /** By creation; default `desc`, the newest first. */
      order?: "desc" | "asc" | undefined;
      /** Only those created after this time. */
      created_after?: string | undefined;
      /** Only those created before this time. */
      created_before?: string | undefined;
      /** Only the workspace of the project with this external id. Backend only. Not together with another filter, offset or cursor. */
      external_id?: string | undefined;
      /** For a user: only workspaces whose name contains this text. For the project: only workspaces with a word in the name that starts with this text. Ignores case. Not together with order or a time of creation. */
      query?: string | undefined;
      /** Number to skip; default 0. Not together with cursor. */
      offset?: number | undefined;
      /** Maximum number to return; default 20, at most 100. */
      limit?: number | undefined;
      /** Where to continue: the cursor in the Link header of the previous page. Not together with offset. */
      cursor?: string | undefined;
    }, PagedAtLeast<Workspace>>;
    /**
     * Get a workspace.
     *
     * Returns 404 to users who are not members, as if the workspace did not exist.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `workspaces:read`, if the secret of the backend is limited to scopes.
     * - **Permission:** `workspace:read` (the backend, the owner, admins, members).
     * - **Retries:** safe to repeat.
     */
    get: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    }, Workspace>;
    /**
     * Change a workspace's logo, name or description, or whether its members need a second factor.
     *
     * Changes only the fields in the body. You may send a whole workspace back as you read it. Only the backend can set, change or clear `external_id`; every member can read it.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `workspaces:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `workspace:update` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 20 times that the owner of a workspace sets `require_mfa` to true in a day.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `workspace.updated`.
     */
    update: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    } & WorkspacesUpdateRequest, Workspace>;
    /**
     * Delete a workspace. It disappears from every read at once and can be restored for 30 days.
     *
     * Every member loses access at once. Another workspace can use its external id at once. After 30 days the workspace is deleted for good.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token); nobody who acts as the user.
     * - **Scope:** `workspaces:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `workspace:delete` (the backend, the owner).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `workspace.deleted`.
     */
    delete: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    }, DeletedWorkspace>;
    /**
     * Restore a workspace that was deleted in the last 30 days.
     *
     * The members have access again with their previous roles. The workspace gets its external id back, unless another workspace has that id now. A workspace that is not deleted is returned unchanged.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `workspaces:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `workspace:restore` (the backend, the owner).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.restored`.
     */
    restore: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    }, Workspace>;
    /**
     * The metadata of a workspace: your own data.
     *
     * An object that is not set is absent. The owner and admins read `app_metadata`; the backend also reads `private_metadata`. Each object is at most 4096 bytes as JSON and 8 levels deep.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `workspaces:read`, if the secret of the backend is limited to scopes.
     * - **Permission:** `workspace:read-metadata` (the backend, the owner, admins).
     * - **Retries:** safe to repeat.
     */
    getMetadata: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    }, WorkspaceMetadata>;
    /**
     * Replace objects of the metadata of a workspace.
     *
     * Replaces each object that is in the body and keeps the other; `{}` clears an object.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `workspaces:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `workspace.metadata_changed`.
     */
    setMetadata: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    } & WorkspacesSetMetadataRequest, WorkspaceMetadata>;
    /**
     * Merge into the metadata of a workspace (RFC 7396).
     *
     * A JSON Merge Patch (RFC 7396), sent as `application/json` or `application/merge-patch+json`: `null` removes a field, or a whole object; arrays are replaced. Two patches at the same time lose nothing.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `workspaces:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `workspace.metadata_changed`.
     */
    mergeMetadata: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    } & WorkspacesMergeMetadataRequest, WorkspaceMetadata>;
    /**
     * Set the e-mail domains whose users may join by themselves.
     *
     * Replaces the whole list. Domains that stay in the list keep their mode. `PUT /workspaces/{workspace_id}/allowed_domains/{domain}` sets the mode of one.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `workspaces:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `workspace:set-domains` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `workspace.domains_changed`.
     */
    setAllowedDomains: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    } & WorkspacesSetAllowedDomainsRequest, Workspace>;
    /**
     * The workspaces that the caller has joined.
     *
     * The response is a plain array without a total. The Link header has the next page.
     *
     * - **Caller:** a user (Bearer, access token) or a program of a user (Bearer, API key).
     * - **Limits:** pages of 100, at most 100.
     * - **Retries:** safe to repeat.
     */
    listJoined: Call<{
      /** Number to skip; default 0. Not together with cursor. */
      offset?: number | undefined;
      /** Maximum number to return; default 100, at most 100. */
      limit?: number | undefined;
      /** Where to continue: the cursor in the Link header of the previous page. Not together with offset. */
      cursor?: string | undefined;
    }, Workspace[]>;
    /**
     * Workspaces the caller can join: invitations, workspaces open to the caller's e-mail domain, and open join requests.
     *
     * Use it after sign-in to show a user which workspaces they can join. Invitations to an e-mail that the user no longer has are left out.
     *
     * - **Caller:** a user (Bearer, access token).
     * - **Limits:** pages of 100, at most 100.
     * - **Retries:** safe to repeat.
     */
    listInvited: Call<{
      /** Maximum number to return; default 100, at most 100. */
      limit?: number | undefined;
      /** Where to continue: the cursor in the Link header of the previous page. Not together with offset. */
      cursor?: string | undefined;
    }, {
      /** One page; it may be short or empty even if a Link header leads to the next page. */
      invited_workspaces: InvitedWorkspace[];
      /** Only in the first page, like the join requests. */
      same_domain_workspaces: SameDomainWorkspace[];
      /** Present, and true, if more workspaces may allow the domain: the list is made of the first 100, without those that the user has joined or is invited to. */
      more_same_domain_workspaces?: boolean;
      requested_workspaces: RequestedWorkspace[];
    }>;
  };
  domains: {
    /**
     * The domains that a workspace allows or has verified, each with its mode.
     *
     * Each domain comes with the DNS record that verifies it.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `workspaces:read`, if the secret of the backend is limited to scopes.
     * - **Permission:** `domain:list` (the backend, the owner, admins).
     * - **Retries:** safe to repeat.
     */
    list: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    }, Paged<Domain>>;
    /**
     * Set how users with a verified e-mail in a domain may join.
     *
     * A user may allow only the domain of their own verified e-mail, and may set `auto` only for a verified domain. The backend may set any. A workspace has at most 50 domains; one more is 400.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `workspaces:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `workspace:set-domains` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.domains_changed`.
     */
    set: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      domain: string;
    } & DomainsSetRequest, Domain>;
    /**
     * Verify a domain: the service looks up its DNS record now.
     *
     * If the record is not found, the error names the record that is expected. A verified domain stays verified.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `workspaces:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `domain:prove` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.domain_proven`.
     */
    prove: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      domain: string;
    }, Domain>;
  };
  members: {
    /**
     * Join a workspace.
     *
     * A user can join only as themselves: with an invitation, an allowed domain or a `join_token`. The backend can make any user join without one of these.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `members:write`, if the secret of the backend is limited to scopes.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.member.joined`, `workspace.member.added`.
     */
    join: Call<MembersJoinRequest, Member>;
    /**
     * Add a user to a workspace with a role. A user who shares no workspace with the caller is invited (pending) instead.
     *
     * A user is added at once if they have asked to join, have a verified e-mail in a domain that the workspace has verified, or share another workspace with the caller while they have fewer than 500. The backend adds every user at once. `suspended` also requires the permission to suspend members, and returns 403 for a user who would be invited.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `members:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `member:add` (the backend, the owner, admins); `member:suspend` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 100 members added by a user, or by all keys of a workspace in a day; 2,000 invitations by a user, or by all keys of a workspace in a day; 10 mailed invitations to an e-mail in a day.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.member.added`, `workspace.member.suspended`, `workspace.ownership_offer_ended`, `workspace.invitation.created`, `workspace.invitation.revoked`, `workspace.invitation.expired`.
     */
    add: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    } & MembersAddRequest, Member>;
    /**
     * The members of a workspace that have a given status.
     *
     * The required permission depends on `status`. Plain members see less of the sign-in data of others.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `members:read`, if the secret of the backend is limited to scopes.
     * - **Permission:** `member:list-accepted` (the backend, the owner, admins, members); `member:list-pending` (the backend, the owner, admins).
     * - **Limits:** pages of 20, at most 100.
     * - **Retries:** safe to repeat.
     */
    list: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Status of a membership. */
      status: "accepted" | "pending";
      /** Only members whose name or e-mail starts with this text, ignoring case. Lags by about a second. */
      query?: string | undefined;
      /** Number to skip; default 0. Not together with cursor. */
      offset?: number | undefined;
      /** Maximum number to return; default 20, at most 100. */
      limit?: number | undefined;
      /** Where to continue: the cursor in the Link header of the previous page. Not together with offset. */
      cursor?: string | undefined;
    }, PagedAtLeast<ListedMember>>;
    /**
     * A member of a workspace.
     *
     * Accepted members only; invitations have their own list.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `members:read`, if the secret of the backend is limited to scopes.
     * - **Permission:** `member:read` (the backend, the owner, admins, members).
     * - **Retries:** safe to repeat.
     */
    get: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of a user: a UUID, always returned in lower case. */
      user_id: string;
    }, Member>;
    /**
     * Remove a member. Called by the member: leave. Access ends with the next request.
     *
     * The owner cannot leave or be removed; transfer the ownership first. An ownership offer to the member ends.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `members:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `member:remove` (the backend, the owner, admins); `member:leave` (the owner, admins, members).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `workspace.member.removed`, `workspace.member.left`, `workspace.ownership_offer_ended`.
     */
    remove: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of a user: a UUID, always returned in lower case. */
      user_id: string;
    }, Member>;
    /**
     * Suspend a membership (access ends with the next request, the role stays) or resume it.
     *
     * The owner cannot be suspended. A suspension ends an ownership offer to the member.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `members:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `member:suspend` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `workspace.member.suspended`, `workspace.member.resumed`, `workspace.ownership_offer_ended`.
     */
    suspend: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of a user: a UUID, always returned in lower case. */
      user_id: string;
    } & MembersSuspendRequest, Member>;
    /**
     * Replace the metadata of a member.
     *
     * The object `app_metadata` is at most 1024 bytes as JSON and 8 levels deep; `{}` clears it. The member, the owner and admins read it with `GET /workspaces/{workspace_id}/users/{user_id}`; lists of members do not have it. It is deleted with the membership.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `members:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `workspace.member.metadata_changed`.
     */
    setMetadata: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of a user: a UUID, always returned in lower case. */
      user_id: string;
    } & MembersSetMetadataRequest, Member>;
    /**
     * Merge into the metadata of a member (RFC 7396).
     *
     * A JSON Merge Patch (RFC 7396), sent as `application/json` or `application/merge-patch+json`: `null` removes a field, or the whole object; arrays are replaced. Two patches at the same time lose nothing.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `members:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `workspace.member.metadata_changed`.
     */
    mergeMetadata: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of a user: a UUID, always returned in lower case. */
      user_id: string;
    } & MembersMergeMetadataRequest, Member>;
    /**
     * Change a member's role.
     *
     * The owner's role cannot change. An ownership offer to an admin who becomes a member ends. `If-Match` takes the `ETag` of the member; the answer shows the user, and has none.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `members:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `member:change-role` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `workspace.member.role_changed`, `workspace.ownership_offer_ended`.
     */
    changeRole: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of a user: a UUID, always returned in lower case. */
      user_id: string;
    } & MembersChangeRoleRequest, UserWithRole>;
  };
  invitations: {
    /**
     * Invite one e-mail, or up to 500, to a workspace; creates missing users.
     *
     * With `invitations`, each row has its own result, and the request succeeds even if some rows do not. A row with an invalid e-mail or role rejects the whole request. A workspace has at most 1,000 pending invitations; at that number, expired ones are removed to make room.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `invitations:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `invitation:create` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 2,000 invitations by a user, or by all keys of a workspace in a day; 10 mailed invitations to an e-mail in a day; 50 invitations to an e-mail without a mail in a day; a body of at most 256 KiB; up to 20 seconds: set your client timeout higher.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.created`, `workspace.invitation.created`, `workspace.invitation.revoked`, `workspace.invitation.expired`.
     */
    create: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    } & InvitationsCreateRequest, InvitationResults | Invitation>;
    /**
     * The pending or expired invitations of a workspace.
     *
     * An expired invitation stays listed for 30 days and can be sent again.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `invitations:read`, if the secret of the backend is limited to scopes.
     * - **Permission:** `invitation:list` (the backend, the owner, admins).
     * - **Limits:** pages of 20, at most 100.
     * - **Retries:** safe to repeat.
     */
    list: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Default pending. */
      state?: "pending" | "expired" | undefined;
      /** Number to skip; default 0. Not together with cursor. */
      offset?: number | undefined;
      /** Maximum number to return; default 20, at most 100. */
      limit?: number | undefined;
      /** Where to continue: the cursor in the Link header of the previous page. Not together with offset. */
      cursor?: string | undefined;
    }, Paged<Invitation>>;
    /**
     * Revoke every invitation to an e-mail.
     *
     * Every invitation that was mailed there ends, and its token becomes invalid at once. The response is 403 with `missing` if an invited role may do more than the caller's.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `invitations:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `invitation:revoke` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.invitation.revoked`.
     */
    endByEmail: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      email: string;
    }, Invitation>;
    /**
     * Send an invitation again, even an expired one, with a new token and the same lifetime.
     *
     * The tokens of earlier mails and links become invalid. The mail goes to the address that was invited. The role of the invitation is checked again: the response is 400 if the role no longer exists, and 403 with `missing` if the caller may not give it.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `invitations:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `invitation:resend` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute; 2,000 invitations by a user, or by all keys of a workspace in a day; 10 mailed invitations to an e-mail in a day.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.invitation.resent`.
     */
    resend: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of a user: a UUID, always returned in lower case. */
      user_id: string;
    }, Invitation>;
    /**
     * Revoke an invitation. Called by the invitee: decline it.
     *
     * The token of the invitation becomes invalid at once. An invitee needs only the invitation, and no permission. The response is 403 with `missing` if the invited role may do more than the caller's.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `invitations:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `invitation:revoke` (the backend, the owner, admins); `invitation:decline` (the backend, the invitee).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.invitation.revoked`, `workspace.invitation.declined`.
     */
    end: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of a user: a UUID, always returned in lower case. */
      user_id: string;
    }, Invitation>;
    /**
     * Accept an invitation with the token of its link; the token from the mail also verifies the e-mail.
     *
     * A user can accept only their own invitations; the backend accepts for the user in the token. A repeated request returns the membership with status 200.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `invitations:write`, if the secret of the backend is limited to scopes.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.email_verified`, `user.identity_unlinked`, `user.passkey_removed`, `user.factor_removed`, `user.sessions_ended`, `user.api_key.revoked`, `workspace.member.joined`.
     */
    accept: Call<InvitationsAcceptRequest, Member>;
  };
  joinRequests: {
    /**
     * Request to join a workspace that allows the domain of your verified e-mail.
     *
     * The domain must have the mode `suggest` or `auto`. A request is open for 90 days; a repeated one returns the open request with status 200.
     *
     * - **Caller:** a user (Bearer, access token).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.join_request.created`.
     */
    create: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    } & JoinRequestsCreateRequest, JoinRequest>;
    /**
     * The open requests to join a workspace, oldest first.
     *
     * Each request comes with the public profile and the e-mail of its user.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `members:read`, if the secret of the backend is limited to scopes.
     * - **Permission:** `join-request:list` (the backend, the owner, admins).
     * - **Limits:** pages of 20, at most 100.
     * - **Retries:** safe to repeat.
     */
    list: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Number to skip; default 0. Not together with cursor. */
      offset?: number | undefined;
      /** Maximum number to return; default 20, at most 100. */
      limit?: number | undefined;
      /** Where to continue: the cursor in the Link header of the previous page. Not together with offset. */
      cursor?: string | undefined;
    }, Paged<ListedJoinRequest>>;
    /**
     * Approve a request to join: the user becomes a member.
     *
     * The join request ends, and the user has access from their next request on.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `members:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `join-request:approve` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.member.joined`.
     */
    approve: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of a user: a UUID, always returned in lower case. */
      user_id: string;
    } & JoinRequestsApproveRequest, Member>;
    /**
     * Refuse a request to join. Called by the requesting user: withdraw it.
     *
     * The user may ask again later. Users can withdraw their own requests without a permission; a limited API key of the user needs the permission.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `members:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `join-request:refuse` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.join_request.refused`, `workspace.join_request.withdrawn`.
     */
    delete: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of a user: a UUID, always returned in lower case. */
      user_id: string;
    }, JoinRequest>;
  };
  joinLinks: {
    /**
     * Create a join link: every user who has the link can join. Its token is shown only once.
     *
     * Only the owner or the backend may create a link with a role that manages the workspace, such as admin. A workspace has at most 50 valid links.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `invitations:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `join-link:create` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.join_link.created`.
     */
    create: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    } & JoinLinksCreateRequest, NewJoinLink>;
    /**
     * The valid join links of a workspace, oldest first, each with its use count.
     *
     * The tokens are not listed: the service stores only their digests.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `invitations:read`, if the secret of the backend is limited to scopes.
     * - **Permission:** `join-link:list` (the backend, the owner, admins).
     * - **Retries:** safe to repeat.
     */
    list: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    }, Paged<JoinLink>>;
    /**
     * Revoke a join link; nobody can join with it any more.
     *
     * Members who joined with the link stay members.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `invitations:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `join-link:revoke` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.join_link.revoked`.
     */
    revoke: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of a join link. */
      link_id: string;
    }, JoinLink>;
  };
  ownership: {
    /**
     * Offer the ownership of the workspace to one of its admins. Called by the backend: transfer it at once.
     *
     * An offer stays open until it is accepted, withdrawn or declined, until another offer or a transfer by the backend replaces it, or until the admin leaves, is suspended or is no longer an admin. The backend transfers the ownership without the consent of the admin.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token); nobody who acts as the user.
     * - **Scope:** `workspaces:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `ownership:offer` (the backend, the owner).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.ownership_offered`, `workspace.ownership_transferred`.
     */
    offer: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    } & OwnershipOfferRequest, Workspace>;
    /**
     * Withdraw or decline the offer.
     *
     * The owner withdraws the offer; the admin who received it declines it. Without an offer, the workspace is returned unchanged.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token); nobody who acts as the user.
     * - **Scope:** `workspaces:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `ownership:end` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.ownership_offer_ended`.
     */
    end: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    }, Workspace>;
    /**
     * Accept the ownership; the previous owner stays an admin.
     *
     * Only the admin to whom the workspace is offered may accept. A repeated request returns the workspace.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Permission:** `ownership:accept` (admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.ownership_transferred`.
     */
    accept: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    }, Workspace>;
  };
  apiKeys: {
    /**
     * Create an API key of the caller. It is shown only once.
     *
     * A program sends the key as a Bearer token and acts as the user, within the workspaces of the user. When the user loses access, the key loses it with its next request. `permissions` limit the key further. The key cannot change the account, its sessions, sign-in methods or keys. At most 20 keys are valid at a time.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.api_key.created`.
     */
    create: Call<ApiKeysCreateRequest, NewApiKey>;
    /**
     * The valid API keys of the caller, oldest first.
     *
     * One page has all keys, without their texts.
     *
     * - **Caller:** a user (Bearer, access token).
     * - **Retries:** safe to repeat.
     */
    list: Call<Record<string, never>, Paged<ApiKey>>;
    /**
     * Change the name or the metadata of an API key of the caller.
     *
     * Changes only the fields in the body. `metadata` has at most 2048 bytes as JSON and 8 levels; a new object replaces the previous one.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.api_key.updated`.
     */
    update: Call<{
      /** Id of an API key. */
      key_id: string;
    } & ApiKeysUpdateRequest, ApiKey>;
    /**
     * Revoke an API key of the caller; its next request is refused.
     *
     * The key becomes invalid at once, because each request reads it.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.api_key.revoked`.
     */
    revoke: Call<{
      /** Id of an API key. */
      key_id: string;
    }, RevokedApiKey>;
    /**
     * Give an API key of the caller a new text, which is shown only once.
     *
     * The previous text of the key stays valid for another 24 hours, or for the seconds in `overlap`. With 0, the texts of all earlier rotations become invalid at once.
     *
     * - **Caller:** a user (Bearer, access token); nobody who acts as the user.
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.api_key.rotated`.
     */
    rotate: Call<{
      /** Id of an API key. */
      key_id: string;
    } & ApiKeysRotateRequest, NewApiKey>;
    /**
     * The valid API keys of a user, oldest first.
     *
     * For your support, when a key of a user has leaked. One page has all keys that are valid, or will be once the user is enabled again. Keys that ended when the user set a password by mail are not listed. The keys themselves are not shown.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `api_keys:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    listOfUser: Call<{
      /** Id of a user: a UUID, always returned in lower case. */
      uid: string;
    }, Paged<ApiKey>>;
    /**
     * Revoke an API key of a user; its next request is refused.
     *
     * The key becomes invalid at once, because each request reads it. The user no longer sees the key in their list.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `api_keys:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `user.api_key.revoked`.
     */
    revokeOfUser: Call<{
      /** Id of a user: a UUID, always returned in lower case. */
      uid: string;
      /** Id of an API key. */
      key_id: string;
    }, RevokedApiKey>;
    /**
     * Check whether an API key is valid, and what it may do.
     *
     * For backends that accept the API keys of their customers. A key of a disabled or deleted user, of a deleted workspace or of another project is not valid. The people who manage the key write its `metadata`: never grant access because of it.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `api_keys:verify`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    verify: Call<ApiKeysVerifyRequest, VerifiedApiKey>;
  };
  workspaceKeys: {
    /**
     * Create an API key of a workspace. It is shown only once.
     *
     * A program sends the key as a Bearer token and acts in the workspace, within the role and `permissions` of the key: an admin's key can also change the workspace, its members and invitations. The key belongs to the workspace. It stays until it is revoked, even when the person who created it leaves. At most 20 keys are valid at a time.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token); nobody who acts as the user.
     * - **Scope:** `api_keys:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `api-key:manage` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.api_key.created`.
     */
    create: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    } & WorkspaceKeysCreateRequest, NewApiKey>;
    /**
     * The valid API keys of a workspace, oldest first.
     *
     * One page has all keys, without their texts.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `api_keys:read`, if the secret of the backend is limited to scopes.
     * - **Permission:** `api-key:manage` (the backend, the owner, admins).
     * - **Retries:** safe to repeat.
     */
    list: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    }, Paged<ApiKey>>;
    /**
     * Change the name or the metadata of an API key of a workspace.
     *
     * Changes only the fields in the body. `metadata` has at most 2048 bytes as JSON and 8 levels; a new object replaces the previous one.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token); nobody who acts as the user.
     * - **Scope:** `api_keys:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `api-key:manage` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.api_key.updated`.
     */
    update: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of an API key. */
      key_id: string;
    } & WorkspaceKeysUpdateRequest, ApiKey>;
    /**
     * Revoke an API key of a workspace; its next request is refused.
     *
     * The key becomes invalid at once, because each request reads it.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token); nobody who acts as the user.
     * - **Scope:** `api_keys:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `api-key:manage` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.api_key.revoked`.
     */
    revoke: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of an API key. */
      key_id: string;
    }, RevokedApiKey>;
    /**
     * Give an API key of a workspace a new text, which is shown only once.
     *
     * The previous text of the key stays valid for another 24 hours, or for the seconds in `overlap`. With 0, the texts of all earlier rotations become invalid at once.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token); nobody who acts as the user.
     * - **Scope:** `api_keys:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `api-key:manage` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     * - **Events:** `workspace.api_key.rotated`.
     */
    rotate: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** Id of an API key. */
      key_id: string;
    } & WorkspaceKeysRotateRequest, NewApiKey>;
  };
  permissions: {
    /**
     * The permissions that roles can hold: those of the project, then those of the service.
     *
     * One page has all permissions of the project, and those permissions of the service that a role of the project can hold.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `roles:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    list: Call<Record<string, never>, Paged<Permission>>;
    /**
     * Get a permission.
     *
     * A permission of the service has no description.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `roles:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    get: Call<{
      /** A permission: resource and action. */
      permission: string;
    }, Permission>;
    /**
     * Define a permission of the project, or change its description.
     *
     * A project has at most 200 permissions of its own. Their resource must not be a resource of the service. The owner of a workspace has all of them.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `roles:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `permission.created`, `permission.updated`.
     */
    set: Call<{
      /** A permission: resource and action. */
      permission: string;
    } & PermissionsSetRequest, Permission>;
    /**
     * Delete a permission of the project that no role holds.
     *
     * Remove the permission from the roles of the project first. Roles of a workspace's own do not prevent the deletion: they lose the permission, and get it back if you define it again.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `roles:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `permission.deleted`.
     */
    delete: Call<{
      /** A permission: resource and action. */
      permission: string;
    }, Permission>;
    /**
     * Check what users may do in workspaces, up to 50 checks at once.
     *
     * For backends, and for pages that show what their user may do. The response is read consistently and is correct at this moment. Nothing is allowed if the workspace is unknown, if the user is not an active member of it, or if the user was disabled at least a few seconds ago; the other checks of the request are still answered.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `roles:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    check: Call<PermissionsCheckRequest, PermissionChecks>;
    /**
     * The caller's role and permissions in a workspace.
     *
     * For pages that show what their user may do; the service checks each request itself.
     *
     * - **Caller:** a user (Bearer, access token).
     * - **Permission:** `workspace:read` (the owner, admins, members).
     * - **Retries:** safe to repeat.
     */
    listOfCaller: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    }, OwnPermissions>;
  };
  roles: {
    /**
     * The roles of the project: owner, admin and member first.
     *
     * One page has all roles.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `roles:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    list: Call<Record<string, never>, Paged<Role>>;
    /**
     * Get a role.
     *
     * Shows the permissions that the role holds itself, and those that it inherits from other roles.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `roles:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    get: Call<{
      /** The name of a role, as members have it. */
      role: string;
    }, Role>;
    /**
     * Define or replace a role of the project, or the permissions that it adds to admin or member.
     *
     * Replaces the whole role. Members with the role have the new permissions from their next request on. A role can hold every permission of the project, and the permissions of the service that admins have, except those for the ownership. A project can add only its own permissions to `admin` and `member`; every member has the permissions of `member`. A project has at most 50 roles of its own.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `roles:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `role.created`, `role.updated`.
     */
    set: Call<{
      /** The name of a role, as members have it. */
      role: string;
    } & RolesSetRequest, Role>;
    /**
     * Delete a role of the project that nobody has.
     *
     * First give the members with this role another role, and revoke its invitations and join links. Otherwise the response is `role_in_use`, with their number in `member_count`, or with the roles that inherit from it in `inherited_by`. A member who gets the role at the same moment, or whose deleted workspace is restored later, keeps the name of the role but has only the permissions of `member`. If you define the role again, that member has its permissions again.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `roles:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `role.deleted`.
     */
    delete: Call<{
      /** The name of a role, as members have it. */
      role: string;
    }, Role>;
    /**
     * The roles that members of a workspace can have, and which of them the caller may give.
     *
     * For a page on which the caller chooses a role. One page has all roles.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `roles:read`, if the secret of the backend is limited to scopes.
     * - **Permission:** `role:list` (the backend, the owner, admins, members).
     * - **Retries:** safe to repeat.
     */
    listOfWorkspace: Call<{
      /** Id of a workspace. */
      workspace_id: string;
    }, Paged<WorkspaceRole>>;
  };
  workspaceRoles: {
    /**
     * Get a role of a workspace's own.
     *
     * Shows the permissions that the role holds itself, and all its permissions together with those of every member.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `roles:read`, if the secret of the backend is limited to scopes.
     * - **Permission:** `role:list` (the backend, the owner, admins, members).
     * - **Retries:** safe to repeat.
     */
    get: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** The name of a role of the workspace's own, by which members have it. */
      role: string;
    }, Role>;
    /**
     * Define or replace a role of a workspace's own, if the project allows it.
     *
     * Replaces the whole role, if the project allows workspaces to have their own roles (`workspace_roles`). Members with the role have the new permissions from their next request on. A caller cannot define or replace a role that has permissions which the caller lacks: the response is 403, with `missing`. A workspace has at most 10 roles of its own, with at most 4 KiB of JSON together; they do not inherit from other roles. If members still have the name of a deleted role, a new role of that name returns `role_in_use`, with their number in `member_count`: give these members another role first.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `roles:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `role:manage` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `workspace.role.created`, `workspace.role.updated`.
     */
    set: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** The name of a role of the workspace's own, by which members have it. */
      role: string;
    } & WorkspaceRolesSetRequest, Role>;
    /**
     * Delete a role of a workspace's own that nobody has.
     *
     * First give the members with this role another role, and revoke its invitations and join links. Otherwise the response is `role_in_use`, with their number in `member_count`. The deletion works even if the project no longer allows such roles. A caller cannot delete a role that has permissions which the caller lacks.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token).
     * - **Scope:** `roles:write`, if the secret of the backend is limited to scopes.
     * - **Permission:** `role:manage` (the backend, the owner, admins).
     * - **Limits:** 300 changes by a user with an access token, of all kinds together in a minute.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     * - **Events:** `workspace.role.deleted`.
     */
    delete: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** The name of a role of the workspace's own, by which members have it. */
      role: string;
    }, Role>;
  };
  webhooks: {
    /**
     * Create a webhook: events of the project are sent to its URL.
     *
     * Requests to the URL are signed (Standard Webhooks) with the secret of this response. A project has at most 10 webhooks.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `webhooks:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    create: Call<WebhooksCreateRequest, WebhookWithSecret>;
    /**
     * The webhooks of the project, oldest first; at most 10.
     *
     * One page has all of them. The secrets are not listed.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `webhooks:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    list: Call<Record<string, never>, Paged<Webhook>>;
    /**
     * Get a webhook.
     *
     * Shows whether the webhook is disabled and why, and since when it has been failing.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `webhooks:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    get: Call<{
      /** Id of a webhook. */
      webhook_id: string;
    }, Webhook>;
    /**
     * Change, disable or enable a webhook.
     *
     * Changes only the fields in the body: leave out those that the request does not have. Events that happened while the webhook was disabled are not sent; redeliver their time range.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `webhooks:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     */
    update: Call<{
      /** Id of a webhook. */
      webhook_id: string;
    } & WebhooksUpdateRequest, Webhook>;
    /**
     * Delete a webhook; no more events are sent to it.
     *
     * Attempts that are waiting for a retry are cancelled.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `webhooks:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once; `If-Match` protects the changes of others.
     */
    delete: Call<{
      /** Id of a webhook. */
      webhook_id: string;
    }, Webhook>;
    /**
     * Create a new secret; the previous one also signs for one more day.
     *
     * Two signatures are sent for one day, so that the receiver can change its key without a gap. At most 4 previous secrets sign.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `webhooks:write`, if the secret of the backend is limited to scopes.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    rotateSecret: Call<{
      /** Id of a webhook. */
      webhook_id: string;
    }, WebhookWithSecret>;
    /**
     * The delivery attempts of the last 30 days and their results, newest first.
     *
     * Attempts are listed for 30 days.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `webhooks:read`, if the secret of the backend is limited to scopes.
     * - **Limits:** pages of 20, at most 100.
     * - **Retries:** safe to repeat.
     */
    listAttempts: Call<{
      /** Id of a webhook. */
      webhook_id: string;
      /** Maximum number to return; default 20, at most 100. */
      limit?: number | undefined;
      /** Where to continue: the cursor in the Link header of the previous page. Not together with offset. */
      cursor?: string | undefined;
    }, {
      count: number;
      result: WebhookAttempt[];
    }>;
    /**
     * Redeliver one event, or every event of a time range; one range at a time for each webhook.
     *
     * Send either `event_id`, or `since` and `until`. The response comes before any event is sent. After 503, retry with the same `Idempotency-Key`: with another key, or without one, every event may be sent twice.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `webhooks:write`, if the secret of the backend is limited to scopes.
     * - **Limits:** 1,000 single events of a project in a day; 100 time ranges of a project in a day.
     * - **Retries:** with an `Idempotency-Key` the request takes effect once.
     */
    redeliver: Call<{
      /** Id of a webhook. */
      webhook_id: string;
    } & WebhooksRedeliverRequest, Webhook>;
  };
  events: {
    /**
     * The feed: every event of the project, oldest first, for 90 days.
     *
     * Store `next_cursor` and pass it as `after` in the next request, even if the page is empty. Every event appears exactly once.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `events:read`, if the secret of the backend is limited to scopes.
     * - **Limits:** pages of 100, at most 100.
     * - **Retries:** safe to repeat.
     */
    list: Call<{
      /** The next_cursor of the previous page. Omitted or 0: starts at the oldest event that is kept. */
      after?: string | undefined;
      /** Maximum number to return; default 100, at most 100. */
      limit?: number | undefined;
    }, {
      /** Number of events in this page. */
      count: number;
      result: Event[];
      /** Where to continue, now or later; always present. */
      next_cursor: string;
      /** Whether there are more events already. */
      more: boolean;
      /** Present if events after the cursor are no longer kept: their number. The page continues with the oldest event that is kept, or at the end if no event is kept. */
      expired?: number;
    }>;
    /**
     * The audit log of a workspace: its events, oldest first, each chained to the previous one.
     *
     * The hash of each entry covers the previous one, so that a copy shows every later change. The backend can also read the log of a deleted workspace.
     *
     * - **Caller:** the project's backend (Basic) or a user (Bearer, access token) or a program of a user (Bearer, API key) or a program of the workspace (Bearer, API key).
     * - **Scope:** `events:read`, if the secret of the backend is limited to scopes.
     * - **Permission:** `event:list` (the backend, the owner, admins).
     * - **Limits:** pages of 100, at most 100.
     * - **Retries:** safe to repeat.
     */
    listOfWorkspace: Call<{
      /** Id of a workspace. */
      workspace_id: string;
      /** The next_cursor of the previous page. Omitted or 0: starts at the oldest event that is kept. */
      after?: string | undefined;
      /** Maximum number to return; default 100, at most 100. */
      limit?: number | undefined;
    }, {
      /** Number of events in this page. */
      count: number;
      result: LogEntry[];
      /** Where to continue, now or later; always present. */
      next_cursor: string;
      /** Whether there are more events already. */
      more: boolean;
      /** Present if events after the cursor are no longer kept: their number. The page continues with the oldest event that is kept, or at the end if no event is kept. */
      expired?: number;
    }>;
  };
  stats: {
    /**
     * Statistics of the project: its current numbers, and the numbers of each of the last days.
     *
     * The numbers are counted from the events of the project and are exact, except `sign_in_failures` and `lockouts`: failed sign-ins and locked passwords are not events, and some may be missing. Like the feed, the numbers are about a second behind. A user is active on a day (UTC) on which a session of theirs starts or is renewed.
     *
     * - **Caller:** the project's backend (Basic).
     * - **Scope:** `stats:read`, if the secret of the backend is limited to scopes.
     * - **Retries:** safe to repeat.
     */
    get: Call<{
      /** Number of days, today included; default 30. */
      days?: number | undefined;
    }, Statistics>;
  };
  projects: {
    /**
     * The settings that a sign-in page shows, for a project that has hosted pages.
     *
     * Caches may keep the response for a minute. If the project does not exist or has turned its hosted pages off, the response is 404.
     *
     * - **Caller:** anyone.
     * - **Retries:** safe to repeat.
     */
    get: Call<{
      /** Id of a project. */
      project_id: string;
    }, PublicProject>;
  };
  discovery: {
    /**
     * The public keys that verify access tokens (RFC 7517).
     *
     * Verifiers may cache the keys for five minutes: the key that signs after the next rotation is already among them.
     *
     * - **Caller:** anyone.
     * - **Retries:** safe to repeat.
     */
    jwks: Call<Record<string, never>, {
      keys: ((RsaKey | EcKey))[];
    }>;
    /**
     * The metadata for verifiers to find the keys, and for clients to find the endpoints of the OpenID provider (OpenID Connect Discovery 1.0).
     *
     * For verifiers of access tokens and for OpenID Connect libraries. All projects share one OpenID provider, and a `client_id` names its project.
     *
     * - **Caller:** anyone.
     * - **Retries:** safe to repeat.
     */
    openidConfiguration: Call<Record<string, never>, ProviderMetadata>;
  };
  docs: {
    /**
     * Redirect to the documentation.
     *
     * Redirects to `GET /docs`.
     *
     * - **Caller:** anyone.
     * - **Retries:** safe to repeat.
     */
    home: Call<Record<string, never>, string>;
    /**
     * This API as an OpenAPI 3.1 document.
     *
     * The document that you are reading, for generators and other tools.
     *
     * - **Caller:** anyone.
     * - **Retries:** safe to repeat.
     */
    openapi: Call<Record<string, never>, Record<string, unknown>>;
    /**
     * This API as an interactive page.
     *
     * The page loads its scripts and styles only from this service.
     *
     * - **Caller:** anyone.
     * - **Retries:** safe to repeat.
     */
    page: Call<Record<string, never>, string>;
    /**
     * Every error with its cause and remedy (`errors`), or a script of the documentation page.
     *
     * The `type` of every error links to its section of `errors`.
     *
     * - **Caller:** anyone.
     * - **Retries:** safe to repeat.
     */
    asset: Call<{
      file: "start.4d0061b5a65daf67.js" | "scalar.bf091006bdc3af60.js" | "errors";
    }, string>;
  };
};
