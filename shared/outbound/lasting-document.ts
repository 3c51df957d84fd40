import { currentRequest } from '../db/request-context.ts';
import { safeFetch } from './fetch.ts';
import { providerLifetimes } from '../model/provider-limits.ts';

/**
 * A JSON document of an identity provider that outlasts failures: where the provider does not answer, its last one is
 * given, for a day at most, because keys that it has withdrawn must not stay good. A failure is remembered for 10 s, in
 * which nobody waits for the provider again.
 */
export function lastingDocument() {
  let last: { text: string; at: number } | undefined;
  let failed: { at: number; error: unknown } | undefined;

  /** The text of the document. Rejects if there is none. */
  async function read(url: string, init?: Parameters<typeof safeFetch>[1]): Promise<string> {
    if (failed && isFresh(failed.at, providerLifetimes.failure)) return outlasting(failed.error);
    try {
      const text = await fetchJson(url, init);
      last = { text, at: Date.now() };
      failed = undefined;
      return text;
    } catch (error) {
      // That the time of one request was over says nothing of the provider.
      if (!currentRequest().signal.aborted) failed = { at: Date.now(), error };
      return outlasting(error);
    }
  }

  function outlasting(error: unknown): string {
    if (last && isFresh(last.at, providerLifetimes.stale)) return last.text;
    throw error;
  }

  return {
    read,
    /** Whether the provider has answered when it was last asked. */
    answers: (): boolean => failed === undefined,
  };
}

const isFresh = (at: number, seconds: number): boolean => Date.now() - at < seconds * 1_000;

async function fetchJson(url: string, init: Parameters<typeof safeFetch>[1]): Promise<string> {
  const response = await safeFetch(url, init);
  if (response.status !== 200) throw new Error(`The provider answered ${response.status}`);
  const text = await response.text();
  const document: unknown = JSON.parse(text);
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new Error('The provider answered something else than an object');
  return text;
}
