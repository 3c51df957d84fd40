/** Every limit of the service in one place; the documentation and the contract take them from here. */
export const limits = {
  /** Bytes of a request body. */
  body: 64 * 1024,
  /** Bytes of one that invites many: 500 rows with an e-mail and a message each. */
  bulkInvitationBody: 256 * 1024,
  /** Bytes of a sealed answer. An item holds 400 KB, and what seals a little better or worse needs room. */
  sealedAnswer: 380_000,
  /** Levels of nesting in a JSON body. */
  jsonDepth: 32,
  page: { default: 20, max: 100 },
  /** The furthest `offset`; further on, a cursor costs the same for every page. */
  offset: 10_000,
  searchUids: 100,
  /**
   * Of each list, and of a person's log, so much that a page of their export holds: with 50 allowed domains each, a
   * hundred owned workspaces are 1.8 MB, the other lists 1.5 MB, and its answer stays under Lambda's 6 MB.
   */
  exportedOfEach: 100,
  exportedEvents: 5_000,
  exportedEventBytes: 2_000_000,
  name: 128,
  aboutMe: 1024,
  description: 256,
  url: 2048,
  photos: 3,
  urls: 10,
  allowedDomains: 50,
  membersPerWorkspace: 100_000,
  workspacesPerUser: 1_000,
  ownedWorkspacesPerUser: 500,
  /** Of one person alone: so many go with them, in the one transaction that decides. */
  workspacesDeletedWithUser: 40,
  invitationsPerRequest: 500,
  invitationMessage: 500,
  /** Of one workspace, to whomever. */
  invitationMailsPerDay: 2_000,
  joinLinksPerWorkspace: 50,
  joinLinkUses: 100_000,
  joinRequestsPerWorkspace: 1_000,
  joinRequestMessage: 500,
  webhooksPerProject: 10,
  /** Previous secrets of one webhook that sign beside the present one. */
  previousWebhookSecrets: 4,
  invitationsPerWorkspace: 1_000,
  liveSecretsPerProject: 10,
  sessionsPerUser: 50,
  /** Devices that are remembered, to tell a new one. */
  devicesPerUser: 20,
  /** Characters; the least may be set per project, down to `least`. */
  password: { least: 8, min: 15, max: 256 },
  /** So many in a row end signing in by password until a new one is set by mail (NIST SP 800-63B-4 section 3.2.2). */
  wrongPasswordsInARow: 100,
  /** How often a code may be tried. */
  codeTries: 5,
  userAgent: 256,
  /** Characters of an Idempotency-Key. The answer is sealed with it, so it must not be guessed. */
  idempotencyKey: { min: 16, max: 128 },
  identityToken: 16 * 1024,
} as const;

/** Milliseconds. */
export const times = {
  /** Until a request is answered at the latest: a client that waits longer has given up. */
  request: 2_500,
  /** The same of 500 invitations, which are 25 transactions one after another. API Gateway waits for 30 s. */
  bulkInvitation: 20_000,
  /** What is kept back of a function's time to answer and log. */
  reserve: 500,
} as const;

/** Life times in seconds. */
export const lifetimes = {
  /** A token with a longer life is refused: to shorten it, sign shorter ones first, and verify that ten minutes later. */
  accessToken: 600,
  sessionIdle: 30 * 86_400,
  sessionAbsolute: 90 * 86_400,
  /** How long after a rotation the previous refresh token still gets the same successor. */
  refreshGrace: 60,
  /** How long the answer to a request with an Idempotency-Key is kept. */
  idempotencyRecord: 86_400,
  /**
   * How long a request with an Idempotency-Key may be under way, unless its route takes longer; one that died is done
   * anew after it.
   */
  idempotencyClaim: 4,
  /** Clock difference between two machines that a verifier tolerates. */
  clockTolerance: 5,
  /** How long an instance trusts its copy of a project item, hence how late a revoked key still works. */
  projectCache: 60,
  /** A secret that does not fit re-reads its project at most this often: so late may a new secret work. */
  projectReread: 1,
  publicKeyCache: 300,
  /** An unknown `kid` re-reads the keys at most this often. */
  publicKeyReread: 10,
  secretCache: 300,
  /** Wrong passwords in a row are forgotten so long after the last of them. */
  wrongPasswords: 365 * 86_400,
  signInCode: 600,
  signUpToken: 86_400,
  resetPasswordToken: 3_600,
  verifyEmailToken: 86_400,
  changeEmailToken: 3_600,
  invitation: 7 * 86_400,
  longestInvitation: 30 * 86_400,
  /** How long an expired invitation is still listed as such, and can be sent again. */
  expiredInvitation: 30 * 86_400,
  joinLink: 30 * 86_400,
  /** Shorter ones would fill the table faster than it forgets them. */
  shortestJoinLink: 300,
  longestJoinLink: 365 * 86_400,
  joinRequest: 90 * 86_400,
  /** How long a deleted workspace can be restored. */
  deletedWorkspace: 30 * 86_400,
  /** When DynamoDB may purge it: a day later, so that whoever restores in the last moment loses nothing. */
  purgedWorkspace: 31 * 86_400,
  /** How long events can be read. */
  event: 90 * 86_400,
  /** How long what a webhook was sent, and what came of it, can be read. */
  delivery: 30 * 86_400,
  /** How long a webhook's previous secret signs beside its successor. */
  previousWebhookSecret: 86_400,
  /** How long a redelivery of a time range has its webhook for itself from the last page on: after it, it is taken for dead. */
  redeliveryHold: 15 * 60,
  /** A webhook that fails for so long, without a success in between, is disabled. */
  failingWebhook: 5 * 86_400,
  /** How long it is remembered that a record of the stream was worked off; the stream itself keeps a day. */
  note: 2 * 86_400,
  /** How long what was mailed stays in the table, for whoever asks what became of it. */
  mail: 7 * 86_400,
} as const;

/** How often something may be done in a window of so many seconds, counted in the table exactly, and what is told then. */
export const rates = {
  /** Wrong passwords of one account, which lock it for this method. */
  passwordFailures: {
    max: 10,
    seconds: 900,
    detail: 'Too many wrong passwords; use another sign-in method or reset the password by e-mail',
  },
  /** Mails that anyone may cause to one e-mail. */
  mailsToOne: { max: 3, seconds: 600, detail: 'Too many mails to this e-mail address' },
  /** Bounds the codes, and with them the guesses, that one account can see in a day. */
  mailsToOneDaily: {
    max: 20,
    seconds: 86_400,
    detail: 'Too many mails to this e-mail address today',
  },
  /** Failed ones from one IPv4 address or IPv6 /64, to one project: an office full of people signs in behind one. */
  failuresFromOne: { max: 100, seconds: 600, detail: 'Too many failures from this network' },
  /** Nobody's mailbox is filled by being invited, revoked and invited again. */
  invitationsToOne: {
    max: 10,
    seconds: 86_400,
    detail: 'Too many invitations to this e-mail address today',
  },
  /** Of one project, to all its webhooks: each time range calls a receiver as often as it holds events. */
  redeliveredRanges: {
    max: 100,
    seconds: 86_400,
    detail: 'Too many time ranges redelivered today',
  },
  /** Of one project, one by one: each is looked for in the feed. */
  redeliveredEvents: {
    max: 1_000,
    seconds: 86_400,
    detail: 'Too many single events redelivered today; redeliver a time range instead',
  },
  /** Nor is a list of invitations, by people who have none of them mailed. */
  unmailedInvitationsToOne: {
    max: 50,
    seconds: 86_400,
    detail: 'Too many invitations to this e-mail address today',
  },
  /** By one person, to whomever, into whichever workspace. */
  invitationsByOne: {
    max: 2_000,
    seconds: 86_400,
    detail: 'You have reached the daily limit of invitations',
  },
  /** By one person, of people who are not asked. */
  additionsByOne: {
    max: 100,
    seconds: 86_400,
    detail: 'You have reached the daily limit of added members',
  },
  /**
   * Requests to one public door of one project, such as `/sessions/password`: far less than API Gateway lets through for
   * all projects together (`throttle`). A password takes a sixth of a second to compare, so this is some 17 functions
   * at once. `shared/access/project-rate-limit.ts` counts them.
   */
  projectDoor: { max: 1_000, seconds: 10, detail: 'Too many requests to this project' },
  /** To one user, of sign-ins from devices they had not used: a User-Agent is whatever its sender says. */
  newDeviceMails: { max: 5, seconds: 86_400, detail: 'Too many new-device mails today' },
  mailsFromOne: { max: 100, seconds: 600, detail: 'Too many mails requested from this network' },
} as const;
export type Rate = keyof typeof rates;

/** A session may be refreshed so often at once, and once in so many seconds over its life. */
export const refreshes = { burst: 60, seconds: 10 } as const;

/**
 * Requests a second to each route, and how many may come at once, before API Gateway answers 429; a stage may set others.
 * The account's own limit is 10,000 a second, and 5,000 at once (AWS default). All projects share it, so it is far above
 * what one project may have of a public door (`rates.projectDoor`).
 */
export const throttle = { rate: 5_000, burst: 5_000 };
export type Throttle = typeof throttle;
