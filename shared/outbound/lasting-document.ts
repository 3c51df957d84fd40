import { currentRequest } from '../db/request-context.ts';
import { isObject } from '../model/json-object.ts';
import { providerLifetimes } from '../model/provider-limits.ts';
import { safeFetch } from './fetch.ts';

/** Throws for a document that is none. */
type Check = (document: Record<string, unknown>) => unknown;

/**
 * A JSON document of an identity provider that outlasts failures: where the provider does not answer, its last one is
 * given, for a day at most, because keys that it has withdrawn must not stay good. A failure is remembered for 10 s, in
 * which nobody waits for the provider again.
 */
export function lastingDocument(check: Check) {
  let last: { text: string; at: number } | undefined;
  let failed: { at: number; error: unknown } | undefined;

  /** The text of the document. Rejects if there is none. */
  async function read(url: string, init?: Parameters<typeof safeFetch>[1]): Promise<string> {
    const { now, signal } = currentRequest();
    const at = now.getTime();
    if (failed && at - failed.at < providerLifetimes.failure * 1_000)
      return outlasting(failed.error, at);
    try {
      // One that says nothing is a failure too, and does not take the place of the last good one.
      const text = await fetchDocument(url, init, check);
      last = { text, at };
      failed = undefined;
      return text;
    } catch (error) {
      // That the time of one request was over says nothing of the provider.
      if (!signal.aborted) failed = { at, error };
      return outlasting(error, at);
    }
  }

  function outlasting(error: unknown, now: number): string {
    if (last && now - last.at < providerLifetimes.stale * 1_000) return last.text;
    throw error;
  }

  return {
    read,
    /** Whether the provider has answered when it was last asked. */
    answers: (): boolean => failed === undefined,
  };
}

/** The text of a JSON document that passes the check. Rejects if there is none. */
export async function fetchDocument(
  url: string,
  init: Parameters<typeof safeFetch>[1],
  check: Check,
): Promise<string> {
  const response = await safeFetch(url, init);
  if (response.status !== 200) throw new Error(`The provider answered ${response.status}`);
  const text = await response.text();
  const document: unknown = JSON.parse(text);
  if (!isObject(document)) throw new Error('The provider answered something else than an object');
  check(document);
  return text;
}
