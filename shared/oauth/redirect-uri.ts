import { env } from '../model/env.ts';
import { ApiError } from '../model/errors.ts';
import { limits } from '../model/limits.ts';

/** Where a browser has come to: the path is that of the route, the host what the request names, without a port. */
export type Called = { cookies: readonly string[]; host: string; path: string };

/**
 * The part of a loopback URI (RFC 8252, section 7.3) before its port. The port must end the authority: in
 * `http://127.0.0.1:80@evil.example/` it is a password.
 */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):[1-9]\d{0,4}(?=[/?]|$)/;
const loopbackHost = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?=[:/?]|$)/;

/**
 * Whether a redirect URI is one of the registered ones: the same characters (RFC 9700, section 2.1). Nothing is parsed
 * or normalised, because a parser that reads a URI differently from the browser is how open redirects come about. Only
 * a program on the user's own machine, at `http://127.0.0.1` or `http://[::1]`, may have any port: the system chooses
 * one when the program starts.
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true;
  if (!loopbackHost.test(uri) || !URL.canParse(uri)) return false;
  const portless = uri.replace(loopback, '$1');
  return registered.some(
    (each) => loopbackHost.test(each) && each.replace(loopback, '$1') === portless,
  );
}

/**
 * Whether any program on the user's machine may get what is sent to a redirect URI: who listens at a loopback address,
 * or claims a private-use scheme, proves nothing (RFC 8252, section 8.6). Only an https address belongs to somebody.
 */
export const isOpenToPrograms = (uri: string): boolean => !uri.startsWith('https://');

/**
 * A URI with parameters behind those that it has (RFC 6749, section 3.1.2). Every value is percent-encoded, so that
 * none can add a parameter, a fragment or, in a `Location`, a header; and a space is `%20`, which form decoders and URI
 * decoders both read. Every redirect is made here, before anything is written. Throws `invalid_request` for one that
 * API Gateway would not let through: percent-encoding makes up to nine characters of one.
 */
export function withParameters(
  uri: string,
  parameters: Record<string, string | undefined>,
): string {
  const added = Object.entries(parameters)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    )
    .join('&');
  const joint = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?';
  const location = added === '' ? uri : `${uri}${joint}${added}`;
  if (location.length > limits.location)
    throw new ApiError('invalid_request', {
      detail: `The parameters are too long: the address to go to would have ${location.length} characters of ${limits.location}`,
    });
  return location;
}

/**
 * The address of a path of the service with the fields of a posted form in its query. A browser attaches no cookie to a
 * form of another site (SameSite=Lax), but to the navigation that follows.
 */
export const formAsQuery = (path: string, form: Record<string, string | undefined>): string =>
  withParameters(`${env.baseUrl()}${path}`, form);
