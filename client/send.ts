import { ApiError } from './api-error.ts';
import type { CallOptions, Fetch, Result } from './call.ts';
import { pauseAfter, sleep, unlessAborted } from './pause.ts';
import { readJson } from './read-json.ts';

export type Settings = {
  /** The base URL of the service, without a slash at its end. */
  url: string;
  /** The Authorization header, or what finds it for each call. */
  authorization?: string | (() => Promise<string | undefined>) | undefined;
  /**
   * How many times a call is tried again after 429, 502, 503, 504 or no answer; default 2. With 0 a change carries no
   * Idempotency-Key either, which saves the service a write. The service keeps no refusals: a wrong password or code
   * whose answer was lost is tried again and counts again.
   */
  retries?: number | undefined;
  /** Sends the requests, instead of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** The project of operations without a credential, which name it. */
  project_id?: string | undefined;
};

/**
 * Sends an operation and resolves with its success.
 * @param operation method, path with the names of its query fields (`~` is that of a workspace), and what it is:
 *   `body` of a method without one: its other fields are sent as JSON, as those of a POST, PUT or PATCH that is not `-`;
 *   `public`: no credential is shown to it; `reads`: a POST that changes nothing; `text`: its success is no JSON. What
 *   changes something carries an Idempotency-Key, so that a try after a lost answer is safe.
 * @throws ApiError for every other answer, also with `code: 'mfa_required'` for a first factor of somebody who has a
 *   second one; what `fetch` throws if there is none; TypeError for a success that is not the service's, as a CDN's page.
 */
export async function send(
  operation: string,
  input: Record<string, unknown>,
  options: CallOptions,
  { url, authorization, retries = 2, fetch: fetcher = fetch, project_id }: Settings,
): Promise<Result<unknown>> {
  const [method, target, ...flags] = operation.split(' ') as [string, string, ...string[]];
  const [template, queryNames = ''] = target.split('?') as [string, string?];
  const hasFlag = (flag: string) => flags.includes(flag);
  const hasBody = hasFlag('body') || (method.startsWith('P') && !hasFlag('-'));
  const changes = method !== 'GET' && !hasFlag('reads');
  const { signal } = options;
  const key = changes
    ? (options.idempotencyKey ?? (retries > 0 ? newKey() : undefined))
    : undefined;

  const isPublic = hasFlag('public');
  const fields: Record<string, unknown> = isPublic ? { project_id, ...input } : { ...input };
  const path = template
    .replace('~', '/workspaces/{workspace_id}')
    .replace(/{(\w+)}/g, (_, name: string) => {
      const value = fields[name];
      delete fields[name];
      // An empty or relative segment would be another path.
      if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
      throw new TypeError(`${name} is missing.`);
    });
  const queryParameters = new URLSearchParams();
  // Only these fields: if a caller passes a whole object for the path's fields, its other fields must not get into a
  // URL.
  for (const name of queryNames.split('&'))
    if (fields[name] !== undefined) queryParameters.set(name, fields[name] as string);
  // Not by its `size`, which Safari has from 17 on.
  const query = `${queryParameters}` && `?${queryParameters}`;

  // The same call with the same key, as that of another tab: it mostly ends in a moment, and its claim four seconds
  // after its process has died. Waiting for it is no further try.
  let wait = 0.15;
  for (let retriesLeft = retries; ; retriesLeft -= 1) {
    const credential = isPublic
      ? undefined
      : (options.authorization ??
        (typeof authorization === 'function'
          ? await unlessAborted(authorization(), signal)
          : authorization));
    const headers = {
      ...(credential !== undefined && { authorization: credential }),
      ...(key !== undefined && { 'idempotency-key': key }),
      // A proxy that compresses makes the tag a weak one, which matches nothing.
      ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch.replace('W/', '') }),
      ...(hasBody && { 'content-type': 'application/json' }),
    };
    let failure: unknown;
    try {
      const response = await fetcher(`${url}${path}${query}`, {
        method,
        headers,
        ...(hasBody && { body: JSON.stringify(fields) }),
        ...(signal && { signal }),
      });
      const { status, headers: responseHeaders, ok } = response;
      const body = ok && hasFlag('text') ? await response.text() : await readJson(response);
      // A first factor was right and a second one is asked for: nobody is signed in.
      if (ok && !(body as Asking)?.mfa_token) return { status, headers: responseHeaders, body };
      failure = new ApiError(status, responseHeaders, body);
    } catch (error) {
      failure = error;
    }
    if (retriesLeft <= 0 || signal?.aborted) throw failure;
    let pause = pauseAfter(failure, retries - retriesLeft);
    if (wait < 4 && (failure as ApiError | undefined)?.code === 'request_in_progress') {
      pause = wait;
      wait *= 2;
      retriesLeft += 1;
    }
    if (pause === undefined) throw failure;
    await sleep(pause * 1_000, signal);
  }
}

/**
 * A text that nobody can guess: 128 random bits. `randomUUID` is missing in pages that come by http from another
 * machine, as in development.
 */
export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** The answer to a first factor of somebody who has a second one. */
type Asking = { mfa_token?: string } | undefined;
