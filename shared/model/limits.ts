/** Every limit of the service; documentation and contract read them from here. */
export const limits = {
  /** Bytes of a request body. */
  body: 64 * 1024,
  /** Bytes of a bulk invitation body: 500 rows with an e-mail and a message each. */
  bulkInvitationBody: 256 * 1024,
  /** Bytes of an encrypted response. An item holds 400 KB; the rest is room for the other attributes. */
  sealedAnswer: 380_000,
  /** Levels of nesting in a JSON body. */
  jsonDepth: 32,
  page: { default: 20, max: 100 },
  /** Maximum `offset`; beyond it, a cursor costs the same for every page. */
  offset: 10_000,
  searchUids: 100,
  /** Large files of the documentation that one instance of a function sends. */
  documentationFiles: { max: 30, seconds: 10 },
  /**
   * Entries of each list, and of a user's log, in one page of an export: with 50 allowed domains each, a hundred owned
   * workspaces are 1.8 MB and the other lists 1.5 MB, so the response stays under Lambda's 6 MB.
   */
  exportedOfEach: 100,
  exportedEvents: 5_000,
  exportedEventBytes: 2_000_000,
  name: 128,
  externalId: 128,
  /** Bytes of each object of metadata as JSON, and levels of nesting. */
  metadata: 4_096,
  memberMetadata: 1_024,
  apiKeyMetadata: 2_048,
  metadataDepth: 8,
  /**
   * Of a project, and bytes of all of them as JSON, as of the permissions: a token must fit into headers and cookies.
   */
  tokenClaims: 10,
  tokenClaimBytes: 1_024,
  aboutMe: 1024,
  /** Of a captcha; providers give some 2,000 characters. */
  captchaToken: 8_192,
  /** Failures after which a project may at the latest ask for a captcha, and the pages on which it may be solved. */
  captchaFailures: 9,
  captchaHostnames: 20,
  description: 256,
  url: 2048,
  photos: 3,
  urls: 10,
  allowedDomains: 50,
  membersPerWorkspace: 100_000,
  workspacesPerUser: 1_000,
  /** Of a user who has not asked; beyond it people invite them. Who is suspended cannot leave, so others could fill all. */
  workspacesUnasked: 500,
  ownedWorkspacesPerUser: 500,
  /** Workspaces without another member that are deleted together with their owner, in the same transaction. */
  workspacesDeletedWithUser: 40,
  invitationsPerRequest: 500,
  invitationMessage: 500,
  /** Per workspace, to all recipients. */
  invitationMailsPerDay: 2_000,
  joinLinksPerWorkspace: 50,
  joinLinkUses: 100_000,
  joinRequestsPerWorkspace: 1_000,
  joinRequestMessage: 500,
  permissionsPerProject: 200,
  rolesPerProject: 50,
  /** In one request, and permissions of each. */
  permissionChecks: 50,
  /** Bytes of the roles and permissions of a project as JSON, so that reading them is bounded. */
  roleDefinitions: 64 * 1024,
  ownRoles: { perWorkspace: 10, bytes: 4 * 1024 },
  /** Holders of a role that are counted before it may be deleted. */
  countedHolders: 1_000,
  webhooksPerProject: 10,
  /** Previous secrets of a webhook that sign in addition to the current one. */
  previousWebhookSecrets: 4,
  invitationsPerWorkspace: 1_000,
  /** Days that the members of a workspace have to get a second factor. */
  mfaGraceDays: 90,
  liveSecretsPerProject: 10,
  sourceCidrsPerSecret: 20,
  apiKeys: { perOwner: 20, permissions: 50, previousTexts: 4, requestsPerMinute: 60_000 },
  /** Users in one import. */
  importedUsers: 100,
  /** Bytes of an import: 100 users with a hash, and metadata of 2 KB each. */
  importBody: 256 * 1024,
  /** Identities of one imported user. */
  importedIdentities: 5,
  /** Characters of the subject of an identity (OpenID Connect Core section 2). */
  identitySubject: 255,
  /** Algorithms and sets of parameters of the hashes that a project imports. */
  importedHashKinds: 8,
  oauthClientsPerProject: 20,
  /** Of each kind, and their characters: the clients are a part of the project item, which may have 400 KB. */
  redirectUrisPerClient: 10,
  redirectUri: 512,
  liveSecretsPerClient: 10,
  /**
   * Characters of a parameter of a client's request, and of a `state` at /logout, a refresh token, or a parameter of
   * which the client can be sent the error. `location` limits all together, and the `state` of a sign-in.
   */
  oauthParameter: 512,
  oauthScope: 1_000,
  longOauthParameter: 2_048,
  /** Characters of a token that the service has signed: a longer one is refused unread. */
  signedToken: 4_096,
  /** Bytes of a `picture` in an ID token, which comes back in an address as `id_token_hint`. UserInfo has any. */
  idTokenPicture: 256,
  /** Characters of a `Location`: API Gateway allows 10,240 bytes of headers, also for the request that follows it. */
  location: 8 * 1024,
  /** Characters of a project's logo, a data: URL. Every instance reads it once a minute, as a part of the project. */
  logo: 8 * 1024,
  passkeysPerUser: 10,
  /** Characters in base64url: a credential id has 1,023 bytes at most (WebAuthn level 3). */
  credentialId: 1_364,
  /** Of each other part of an answer of an authenticator. */
  credentialPart: 16_384,
  passkeyOrigins: 10,
  recoveryCodes: 10,
  /** After which only a recovery code is accepted: each guess hits one of three in a million. */
  wrongFactorCodesInARow: 100,
  sessionsPerUser: 50,
  /** Devices that are remembered, to detect new ones. */
  devicesPerUser: 20,
  /** Characters: twice what a token of a device has today. */
  deviceToken: 300,
  /** Characters. A project may set its minimum as low as `least`. */
  password: { least: 8, min: 15, max: 256 },
  /** Failures in a row that lock the password until a new one is set by mail (NIST SP 800-63B-4 section 3.2.2). */
  wrongPasswordsInARow: 100,
  /** Attempts to enter a code. */
  codeTries: 5,
  userAgent: 256,
  /** Characters: who acts as a user, and why. */
  actorId: 128,
  actorReason: 200,
  /** Characters of an Idempotency-Key. The response is encrypted with it, so it must not be guessable. */
  idempotencyKey: { min: 16, max: 128 },
  identityToken: 16 * 1024,
  /** Days of statistics in one response. */
  statsDays: { default: 30, max: 90 },
} as const;

/** Milliseconds. */
export const times = {
  /** Deadline of a request; a client that waits longer has given up. */
  request: 2_500,
  /** Deadline of 500 invitations, which are 25 sequential transactions. API Gateway waits for 30 s. */
  bulkInvitation: 20_000,
  /** Deadline of 100 imported users, each a transaction of its own. */
  import: 20_000,
  /** Time of a function reserved to respond and log. */
  reserve: 500,
} as const;

/** Lifetimes in seconds. */
export const lifetimes = {
  /**
   * Tokens with a longer lifetime are rejected. To shorten it, issue shorter tokens first and enforce the new limit ten
   * minutes later.
   */
  accessToken: 600,
  /** A session in which somebody acts as the user: its token lives as long, and there is no renewal. */
  actingSession: 3_600,
  sessionIdle: 30 * 86_400,
  sessionAbsolute: 90 * 86_400,
  /** How long after a rotation the previous refresh token still gets the same new tokens. */
  refreshGrace: 60,
  /** How long the response to a request with an Idempotency-Key is stored. */
  idempotencyRecord: 86_400,
  /**
   * How long a request with an Idempotency-Key may run, unless its route takes longer. After that, a retry runs a
   * request that died again.
   */
  idempotencyClaim: 4,
  /** Clock difference between machines that a verifier tolerates. */
  clockTolerance: 5,
  /** How long an instance caches a project item, and therefore how long a revoked secret may still work. */
  projectCache: 60,
  /** The most that a secret of a project which expires may be valid. */
  maxSecret: 366 * 86_400,
  /** An unknown secret re-reads its project at most this often, so a new secret may take this long to work. */
  projectReread: 1,
  publicKeyCache: 300,
  /** An unknown `kid` re-reads the keys at most this often. */
  publicKeyReread: 10,
  /** How long an instance answers strangers with the public keys that it has read. */
  publishedKeys: 1,
  secretCache: 300,
  /** A window of the rate limit of API keys. */
  apiKeyWindow: 60,
  /** `overlap`: how long the text of an API key works after a rotation. */
  apiKey: { min: 60, max: 366 * 86_400, overlap: 86_400, maxOverlap: 7 * 86_400 },
  /** The count of wrong passwords in a row expires this long after the last one. */
  wrongPasswords: 365 * 86_400,
  signInCode: 600,
  signInLink: 900,
  /** How long a sign-in counts as recent: what adds a way to sign in may require one. */
  recentSignIn: 600,
  /** From the options to the answer of the authenticator. */
  passkeyChallenge: 300,
  /** From the secret of an authenticator app to its first code. */
  factorEnrolment: 900,
  /** From the first factor of a sign-in to the second. */
  mfaToken: 600,
  /** From the redirect to the request of the client; RFC 6749 recommends ten minutes at most. */
  authorizationCode: 60,
  /** How long an authorization code that was redeemed is recognised, so that a second use ends its session. */
  redeemedCode: 86_400,
  /** How long a sign-in is good for a program on the user's machine: from the page back to `/authorize`. */
  signInForProgram: 60,
  idToken: 600,
  /** How long an instance caches a client secret at a provider. */
  providerSecret: 60,
  signUpToken: 86_400,
  resetPasswordToken: 3_600,
  verifyEmailToken: 86_400,
  changeEmailToken: 3_600,
  invitation: 7 * 86_400,
  longestInvitation: 30 * 86_400,
  /** How long an expired invitation stays listed as expired and can be sent again. */
  expiredInvitation: 30 * 86_400,
  joinLink: 30 * 86_400,
  /** Shorter ones would fill the table faster than expired ones are deleted. */
  shortestJoinLink: 300,
  longestJoinLink: 365 * 86_400,
  joinRequest: 90 * 86_400,
  /** How long a deleted workspace can be restored. */
  deletedWorkspace: 30 * 86_400,
  /** When DynamoDB may purge it: a day after the last moment to restore it, so that a late restore loses nothing. */
  purgedWorkspace: 31 * 86_400,
  /** How long events can be read. */
  event: 90 * 86_400,
  /** How long the counters of a day are kept. */
  statistics: 400 * 86_400,
  /** How long deliveries to a webhook and their results can be read. */
  delivery: 30 * 86_400,
  /** How long a webhook's previous secret also signs. */
  previousWebhookSecret: 86_400,
  /** How long a redelivery of a time range locks its webhook after its last page; then it counts as dead. */
  redeliveryHold: 15 * 60,
  /** A webhook that fails this long without a success is disabled. */
  failingWebhook: 5 * 86_400,
  /**
   * How long the receipt of what followed once from a change is kept, so that the same change again causes nothing: the
   * stream keeps records for a day, a queue for 14.
   */
  receipt: 16 * 86_400,
  /** How long a mail stays in the table, so that its outcome can be looked up. */
  mail: 7 * 86_400,
} as const;
