import type { Answer } from './use-pages.ts';

/**
 * The first page of a search, and before it what has the text as the id of the backend, which no search looks at. It may
 * be on a later page again.
 */
export async function withExternalId<T>(
  search: Promise<Answer<T>>,
  byExternalId: Promise<Answer<T>>,
  idOf: (row: T) => string,
): Promise<Answer<T>> {
  const [{ body, headers }, named] = await Promise.all([search, byExternalId]);
  const [exact] = named.body.result;
  if (!exact) return { body, headers };
  const others = body.result.filter((row) => idOf(row) !== idOf(exact));
  const isWhole = body.result.length === body.total;
  const total = isWhole ? others.length + 1 : body.total;
  return { body: { ...body, result: [exact, ...others], total }, headers };
}
