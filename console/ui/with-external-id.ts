import type { Answer } from './use-pages.ts';

/** The first page of a search, and before it what has the text as the id of the backend, which no search looks at. */
export async function withExternalId<T>(
  search: Promise<Answer<T>>,
  byExternalId: Promise<Answer<T>>,
  idOf: (row: T) => string,
): Promise<Answer<T>> {
  const [{ body, headers }, named] = await Promise.all([search, byExternalId]);
  const [exact] = named.body.result;
  if (!exact) return { body, headers };
  const others = body.result.filter((row) => idOf(row) !== idOf(exact));
  const total = body.total + 1 - (body.result.length - others.length);
  return { body: { ...body, result: [exact, ...others], total }, headers };
}
