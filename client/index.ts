// The package's entry for browsers and every other runtime with `fetch`: its public names, and nothing else.
export {
  type Auth,
  type AuthOptions,
  createAuth,
  type Entered,
  type PageAuth,
  type TokenOptions,
} from './auth.ts';
export type { Call, CallOptions, Result } from './call.ts';
export type { AskedCaptcha, SolveCaptcha } from './captcha/with-captcha.ts';
export {
  ApiError,
  basic,
  bearer,
  type Client,
  type ClientOptions,
  createClient,
  type ErrorCode,
  type Routes,
  type UserClient,
} from './client.ts';
export type { KeepCodes } from './cookies/methods.ts';
export type { KnownDevice } from './device.ts';
export type * from './generated/api.ts';
export type { Listener, SignedIn } from './listeners.ts';
export { pages } from './pages.ts';
export type { AuthStorage } from './storage.ts';
