/**
 * Rate limits: maximum number in a window of seconds, counted exactly in the table, and the error detail, which is
 * empty if no request is refused.
 */
export const rates = {
  /** Wrong passwords of one account; more lock this sign-in method. */
  passwordFailures: {
    max: 10,
    seconds: 900,
    detail: 'Too many wrong passwords; use another sign-in method or reset the password by e-mail',
  },
  /** Wrong codes of the authenticator app of one user. */
  factorFailures: { max: 10, seconds: 900, detail: 'Too many wrong codes; wait and try again' },
  /** Mails to one address, from all requesters. */
  mailsToOne: { max: 3, seconds: 600, detail: 'Too many mails to this e-mail address' },
  /** Limits the codes, and so the guesses of codes, of one account in a day. */
  mailsToOneDaily: {
    max: 20,
    seconds: 86_400,
    detail: 'Too many mails to this e-mail address today',
  },
  /**
   * Failed attempts from one IPv4 address or IPv6 /64 to one project: a whole office may sign in behind one address.
   */
  failuresFromOne: { max: 100, seconds: 600, detail: 'Too many failures from this network' },
  /** Prevents flooding a mailbox by inviting, revoking and inviting again, or by asking for a second factor. */
  invitationsToOne: {
    max: 10,
    seconds: 86_400,
    detail: 'Too many invitations to this e-mail address today',
  },
  /** Per project, for all its webhooks: each time range calls a receiver once for every event in it. */
  redeliveredRanges: {
    max: 100,
    seconds: 86_400,
    detail: 'Too many time ranges redelivered today',
  },
  /** Per project, single events: each is searched in the feed. */
  redeliveredEvents: {
    max: 1_000,
    seconds: 86_400,
    detail: 'Too many single events redelivered today; redeliver a time range instead',
  },
  /** Prevents flooding a user's list of invitations with invitations that are not mailed. */
  unmailedInvitationsToOne: {
    max: 50,
    seconds: 86_400,
    detail: 'Too many invitations to this e-mail address today',
  },
  /** Per inviter, to all addresses and workspaces, and sent again; the API keys of a workspace are one inviter. */
  invitationsByOne: {
    max: 2_000,
    seconds: 86_400,
    detail: 'You have reached the daily limit of invitations',
  },
  /** Per user, or the API keys of a workspace, of members added without being asked. */
  additionsByOne: {
    max: 100,
    seconds: 86_400,
    detail: 'You have reached the daily limit of added members',
  },
  /** Per user. Deleted workspaces stay in the table for a month, and no longer count as owned. */
  workspacesByOne: {
    max: 50,
    seconds: 86_400,
    detail: 'You have reached the daily limit of new workspaces',
  },
  /**
   * Requests to one public route of one project, such as `/sessions/password`: far fewer than API Gateway admits for
   * all projects together (`throttle`). Verifying a password takes a sixth of a second, so this is about 17 functions
   * at once. `shared/access/door-rate-limit.ts` counts them.
   */
  projectDoor: { max: 1_000, seconds: 10, detail: 'Too many requests to this project' },
  /**
   * The same from one IPv4 address or IPv6 /48, so that one host cannot close a route to everybody else; and, at `/token`,
   * requests that prove nothing. A whole office, or a backend that names no clients, signs in behind one address.
   */
  networkDoor: {
    max: 250,
    seconds: 10,
    detail: 'Too many requests from this network to this project',
  },
  /**
   * Changes of one user by their access tokens, of all kinds together: the events, webhooks and deletions of a project
   * wait for each other, some 130 changes a second. Ending sessions is not counted. A person needs a few a minute, and a
   * script that removes members one after the other five a second. `shared/access/change-rate-limit.ts` counts them.
   */
  changesByOne: { max: 300, seconds: 60, detail: 'You have made too many changes within a minute' },
  /**
   * Sessions that one user starts by one method, or for all OAuth clients together: each is an event, and its start ends
   * another of fifty, which is one more. `shared/access/sign-in-rate-limit.ts` counts them.
   */
  signInsOfOne: { max: 300, seconds: 60, detail: 'Too many sign-ins of this user within a minute' },
  /**
   * Mails to one user about sign-ins from new devices. The User-Agent is chosen by the client, so it could cause any
   * number.
   */
  newDeviceMails: { max: 5, seconds: 86_400, detail: '' },
  /**
   * Mails of one kind to one user about changes of the account. A user makes 300 changes a minute, each with a mail,
   * and all projects share what SES sends in a day. By kind: who floods a mailbox with one does not silence another.
   */
  noticesToOne: { max: 10, seconds: 86_400, detail: '' },
  /**
   * Times that the owner of a workspace turns on that members need a second factor: each has all members looked through
   * for those who get a mail, while other events of the project wait.
   */
  secondFactorDemands: {
    max: 20,
    seconds: 86_400,
    detail: 'Turned on too often today',
  },
  /** Redirects to identity providers from one network: each is an item of the table for ten minutes. */
  providerStartsFromOne: { max: 300, seconds: 600, detail: 'Too many from this network' },
  /** Per user and provider: each asks the provider. An access token lasts for an hour at most of them. */
  providerTokenRefreshes: { max: 30, seconds: 600, detail: 'Too many refreshes' },
  /**
   * Links that one user has mailed to new e-mails, which may be anybody's: no captcha stands before them, and an account
   * that has many networks would use up what SES sends in a day.
   */
  emailChangesByOne: {
    max: 20,
    seconds: 86_400,
    detail: 'You have asked for too many changes of the e-mail today',
  },
  mailsFromOne: { max: 100, seconds: 600, detail: 'Too many mails requested from this network' },
  /**
   * The same from an IPv6 /48: a customer usually has a /56 or /48, so 256 networks or more, each with a limit of its
   * own. They would request faster than mails are sent, and fill the lanes in which codes wait.
   */
  mailsFromSite: {
    max: 1_000,
    seconds: 600,
    detail: 'Too many mails requested from the networks around this one',
  },
} as const;
export type Rate = keyof typeof rates;

/** Refreshes of a session: a burst, and one per this many seconds on average over its life. */
export const refreshes = { burst: 60, seconds: 10 } as const;
