import { ApiError } from '../api-error.ts';
import type { CallOptions, Fetch } from '../call.ts';
import { pauseAfter, sleep } from '../pause.ts';
import { readJson } from '../read-json.ts';
import { newKey } from '../send.ts';

/** What is posted to a path of the handler. A call with the key of one before gets what that one got. */
export type Request = [
  route: string,
  input: object,
  call?: Pick<CallOptions, 'idempotencyKey'> | undefined,
];

/** Milliseconds: the other pages of the browser wait for this one. */
const deadline = 30_000;

/**
 * Makes what posts to the cookie handler, with the proofs that a page of this origin sends it. Once `closed` is
 * aborted, it tries nothing again.
 */
export function createPost(path: string, fetcher: Fetch | undefined, closed: AbortSignal) {
  let csrf: Promise<string> | undefined;

  async function send(route: string, init: RequestInit): Promise<unknown> {
    // Of all tries together.
    const signal = AbortSignal.timeout(deadline);
    for (let tries = 0; ; tries += 1)
      try {
        const response = await (fetcher ?? fetch)(path + route, { ...init, signal });
        const body = await readJson(response);
        // A second factor is asked for with a success, as the service does.
        if (!response.ok || (body as { mfa_token?: string } | undefined)?.mfa_token)
          throw new ApiError(response.status, response.headers, body);
        return body;
      } catch (error) {
        const pause = pauseAfter(error, tries);
        // A second sign-out would say that it has worked: the first has taken the cookie, and so the session to end.
        const isAgain = tries < 2 && !closed.aborted && route !== '/sign-out';
        if (!isAgain || pause === undefined) throw error;
        // A pause ends by itself soon, and the next try fails where the time is up.
        await sleep(pause * 1_000, closed);
      }
  }

  const askCsrf = () => {
    csrf = send('/csrf', {}).then((body) => (body as { csrf_token: string }).csrf_token);
    // The next call asks again.
    csrf.catch(() => {
      csrf = undefined;
    });
    return csrf;
  };

  /** @throws ApiError for an answer that is no success; TypeError for a success that is not the handler's */
  return async function post<Body>(
    ...[route, input, { idempotencyKey = newKey() } = {}]: Request
  ): Promise<Body> {
    const attempt = async (token: Promise<string>) =>
      send(route, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
          'x-csrf': '1',
          'x-csrf-token': await token,
        },
        body: JSON.stringify(input),
      }) as Promise<Body>;
    try {
      return await attempt(csrf ?? askCsrf());
    } catch (error) {
      // The cookie is gone, or another page had it replaced. The handler has done nothing.
      if (!(error instanceof ApiError && error.problem['reason'] === 'csrf_token')) throw error;
      return attempt(askCsrf());
    }
  };
}
