import type { Call, CallOptions } from './call.ts';

/**
 * Every result of a list, page after page: `for await (const member of pages(client.members.list, { workspace_id }))`.
 * It reads a page when the one before it is used up, so leaving the loop ends the reading.
 * @param input as the list takes it; `limit` is the size of a page.
 * @throws ApiError
 */
export async function* pages<Input extends { cursor?: string | undefined }, Each>(
  list: Call<Input, { result: Each[] }>,
  input: Input,
  options?: CallOptions,
): AsyncGenerator<Each, void> {
  let { cursor } = input;
  do {
    const { headers, body } = await list(
      // A page is found by its cursor or by what comes before it, not by both.
      { ...input, ...(cursor && { cursor, offset: undefined }) },
      options,
    );
    yield* body.result;
    const next = nextCursor(headers);
    // A server that named the same page again would never end the loop.
    cursor = next === cursor ? undefined : next;
  } while (cursor);
}

/** The cursor of the link to the next page (RFC 8288), which is relative or absolute; undefined on the last page. */
export function nextCursor(headers: Headers): string | undefined {
  const [, link] = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (!link) return undefined;
  return new URL(link, 'http://localhost').searchParams.get('cursor') ?? undefined;
}
