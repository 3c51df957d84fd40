import type { KnownDevice } from '../device.ts';
import type { Session } from '../generated/api.ts';
import { refusal } from './problem.ts';

/** The two tokens of a session, which the cookie holds. */
export type Tokens = Pick<Session, 'access_token' | 'refresh_token'>;

type WithHeaders = { headers: { get(name: string): string | null } };

/** Seconds: as long as the service keeps a session that is not refreshed. */
const lifetime = 30 * 24 * 60 * 60;

/** Seconds: the longest that browsers keep a cookie (RFC 6265bis section 5.5). */
const deviceLifetime = 400 * 24 * 60 * 60;

/** Two tokens as RFC 6750 spells them: no character of theirs could end a cookie or begin another header. */
const tokensForm = /^([\w.~+/=-]{1,1000}):([\w.~+/=-]{1,4000})$/;

/** Bytes: the longest name and value, together, that browsers keep (RFC 6265bis section 5.6). */
const maxCookieBytes = 4_096;

/** A token of a device: it signs nobody in. */
const deviceForm = /^dt_[\w.-]{1,297}$/;

export type CookieJar = ReturnType<typeof openJar>;

/**
 * Reads and writes the cookies of the handler: of the session, of the device, which outlasts the sign-out, of the CSRF
 * token, and those of the hosted pages.
 *
 * HttpOnly: scripts cannot read them. SameSite=Strict: no other site sends them; nothing is lost by it, because a page
 * asks for its token by itself, also if a foreign link has led to it. `__Host-`: only this very host can set them, over
 * HTTPS, so neither a subdomain nor somebody on the network can plant theirs. They are not encrypted:
 * somebody who could read the cookie could also use it as it is.
 */
export function openJar(cookieName: string, secure: boolean) {
  if (!/^[A-Za-z][\w-]{0,63}$/.test(cookieName))
    throw new TypeError('cookieName must be letters, digits, _ and -, without a prefix.');
  const name = secure ? `__Host-${cookieName}` : cookieName;
  const csrfName = `${name}-csrf`;
  const deviceName = `${name}-device`;
  const attributesFor = (sameSite: 'Strict' | 'Lax') =>
    `; Path=/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
  const attributes = attributesFor('Strict');
  /** A cookie that ends with an empty value, and is not kept if it is too long for browsers. */
  const other = (suffix: string, maxAge: number, own = attributes) => {
    const otherName = `${name}-${suffix}`;
    return {
      read: (request: WithHeaders): string | undefined => cookieOf(request, otherName),
      keep(value: string): string {
        const isKept = value !== '' && otherName.length + value.length <= maxCookieBytes;
        return `${otherName}=${isKept ? value : ''}; Max-Age=${isKept ? maxAge : 0}${own}`;
      },
    };
  };
  return {
    /** The sign-ins at the hosted pages in progress, whose answers come from another site (SameSite=Lax). */
    signIns: other('sign-ins', 3_600, attributesFor('Lax')),
    /** The ID token of a sign-in at the hosted pages, which the sign-out there needs. */
    idToken: other('id-token', lifetime),
    /** The tokens of the cookie; undefined if there is none that this handler can have set. */
    read(request: WithHeaders): Tokens | undefined {
      const [, refresh_token, access_token] = tokensForm.exec(cookieOf(request, name) ?? '') ?? [];
      return refresh_token && access_token ? { refresh_token, access_token } : undefined;
    },
    /** A Set-Cookie header that keeps the session for another 30 days. */
    keep(tokens: Tokens): string {
      const value = valueOf(tokens);
      // An answer without tokens, such as JSON of somebody in between, must not take the place of good ones.
      if (!(tokens.refresh_token && tokens.access_token && tokensForm.test(value)))
        throw new TypeError('The service has answered without tokens.');
      if (name.length + value.length > maxCookieBytes)
        throw refusal(500, 'internal_error', 'The tokens are too long for a cookie.');
      return `${name}=${value}; Max-Age=${lifetime.toString()}${attributes}`;
    },
    /** The Cookie header of this request once the browser has kept that Set-Cookie of the session. */
    after: (request: WithHeaders, setCookie: string): string =>
      [
        ...pairsOf(request).filter((pair) => nameOf(pair) !== name),
        ` ${setCookie.slice(0, setCookie.indexOf(';'))}`,
      ].join(';'),
    /** A Set-Cookie header that ends the cookie. */
    end: `${name}=; Max-Age=0${attributes}`,
    /** What a sign-in sends along, if this browser has signed somebody in. */
    device(request: WithHeaders): KnownDevice {
      const device_token = cookieOf(request, deviceName);
      return device_token !== undefined && deviceForm.test(device_token) ? { device_token } : {};
    },
    /** A Set-Cookie header that keeps the token of the device; undefined without one. */
    keepDevice: (token: string | undefined): string | undefined =>
      token !== undefined && deviceForm.test(token)
        ? `${deviceName}=${token}; Max-Age=${deviceLifetime}${attributes}`
        : undefined,
    csrf(request: WithHeaders): string | undefined {
      const value = cookieOf(request, csrfName);
      return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
    },
    keepCsrf: (token: string): string => `${csrfName}=${token}${attributes}`,
  };
}

const valueOf = ({ refresh_token, access_token }: Tokens) => `${refresh_token}:${access_token}`;

/**
 * The Idempotency-Key by which these tokens are renewed. Made of the tokens: a browser with the old cookie, also an
 * hour after the new one was lost on its way, sends the same key and gets the same successor.
 */
export async function refreshKeyOf(tokens: Tokens): Promise<string> {
  const bytes = new TextEncoder().encode(valueOf(tokens));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The value of a cookie (RFC 6265 section 4.2.1); undefined if none has the name, or more than one: one was planted.
 */
function cookieOf(request: WithHeaders, name: string): string | undefined {
  const [pair = '', ...others] = pairsOf(request).filter((each) => nameOf(each) === name);
  return pair && others.length === 0 ? strip(pair.slice(pair.indexOf('=') + 1)) : undefined;
}

const pairsOf = ({ headers }: WithHeaders): string[] => (headers.get('cookie') ?? '').split(';');

/** The name of a cookie; a pair without `=` has none. */
const nameOf = (pair: string): string => strip(pair.slice(0, Math.max(pair.indexOf('='), 0)));

/**
 * Not `trim()`: it also removes a no-break space, and a browser lets any subdomain set a cookie whose name begins with
 * one, because it does not begin with `__Host-`. Each run of blanks is tried at its first one only: a header of 16 KB
 * would take 0.2 s otherwise, in the thread of all requests.
 */
const strip = (text: string): string => text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
