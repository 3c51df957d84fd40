/** Limits of sign-ins at identity providers. Apart from the others, which every function has in its bundle. */
export const providerLimits = {
  /** Of a project: the providers that people are redirected to, and the addresses to which they come back. */
  providers: 20,
  returnUrls: 20,
  /** Characters of a provider's token, with what is kept beside it: a longer one is not kept. */
  token: 16_384,
} as const;

/** Milliseconds that a request may take. */
export const providerTimes = {
  /** A redirect to a provider, whose metadata may have to be read. */
  start: 7_000,
  /** A sign-in that comes back from one: metadata, code, keys and person are up to four calls. */
  callback: 15_000,
  /** A token that may have to be refreshed: metadata, and the token endpoint. */
  token: 12_000,
} as const;

/** Lifetimes in seconds. */
export const providerLifetimes = {
  /** From the redirect to a provider until people are back: they may have to sign in there. */
  signIn: 600,
  /** The code of a finished sign-in: a user who must first sign in another way may link with it afterwards. */
  code: 300,
  /** How long an instance caches the metadata of a provider. */
  metadata: 3_600,
  /** How long it does not ask again for what has failed. */
  failure: 10,
  /** How long the last metadata and keys of a provider are good where it answers no more. */
  stale: 86_400,
  /** How long an instance caches a client secret. */
  secret: 60,
  /** How long tokens are kept after the last sign-in or refresh: Google's end when they were not used for as long. */
  kept: 180 * 86_400,
  /** What is left of an access token that is refreshed before it is given. */
  tokenReserve: 60,
  /** After how long an access token is refreshed whose provider does not say when it ends. */
  untoldToken: 3_600,
  /** How long one request alone may refresh the token of an account: longer than a request takes. */
  refreshing: 15,
} as const;
