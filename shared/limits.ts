/** Every limit of the service in one place; the documentation and the contract take them from here. */
export const limits = {
  /** Bytes of a request body. */
  body: 64 * 1024,
  /** Levels of nesting in a JSON body. */
  jsonDepth: 32,
  page: { default: 20, max: 100 },
  /** The furthest `offset`; further on, a cursor costs the same for every page. */
  offset: 10_000,
  searchUids: 100,
  name: 128,
  aboutMe: 1024,
  description: 256,
  url: 2048,
  photos: 3,
  urls: 10,
  allowedDomains: 50,
  membersPerWorkspace: 100_000,
  invitationsPerWorkspace: 1_000,
  liveSecretsPerProject: 10,
} as const;

/** Life times in seconds. */
export const lifetimes = {
  accessToken: 600,
  sessionIdle: 30 * 86_400,
  sessionAbsolute: 90 * 86_400,
  /** How long after a rotation the previous refresh token still gets the same successor. */
  refreshGrace: 60,
  /** Clock difference between two machines that a verifier tolerates. */
  clockTolerance: 5,
  /** How long an instance trusts its copy of a project item, hence how late a revoked key still works. */
  projectCache: 60,
  /** A secret that does not fit re-reads its project at most this often: so late may a new secret work. */
  projectReread: 1,
  publicKeyCache: 300,
  /** An unknown `kid` re-reads the keys at most this often. */
  publicKeyReread: 10,
  signingKeyCache: 300,
} as const;
