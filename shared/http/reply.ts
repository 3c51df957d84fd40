import type { SuccessStatus } from '../contract/route.ts';

/** A result with a status, headers, cookies or a next page. */
export class Reply<Body> {
  readonly body: Body;
  readonly options: ReplyOptions;

  constructor(body: Body, options: ReplyOptions) {
    this.body = body;
    this.options = options;
  }
}

/** A result whose body was compressed beforehand; it is sent without inspection. */
export class EncodedReply {
  readonly bytes: Buffer;
  readonly coding: string;
  readonly headers: Record<string, string>;

  constructor(bytes: Buffer, coding: string, headers: Record<string, string>) {
    this.bytes = bytes;
    this.coding = coding;
    this.headers = headers;
  }
}

type ReplyOptions = {
  status?: SuccessStatus;
  headers?: Record<string, string>;
  /** False: what a 201 has created is not at its path yet, so the response has no `Location`. */
  located?: false;
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[];
  /** Position after which the next page starts; the framework turns it into a signed cursor. */
  next?: string | undefined;
};

/** Returns a result with a status other than the route's first, with headers, with cookies, or with a next page. */
export const reply = <Body>(body: Body, options: ReplyOptions): Reply<Body> =>
  new Reply(body, options);

/** Sends a browser to another address, with the first status of the route unless another is named. */
export const redirectTo = (
  location: string,
  { cookies = [], status }: Pick<ReplyOptions, 'cookies' | 'status'> = {},
): Reply<string> =>
  reply('See the Location header.', { ...(status && { status }), headers: { location }, cookies });

/**
 * Answers with one page of a list that is not counted to its end.
 *
 * @param found.total how many there are at least; `found.more`: there are more
 */
export const replyFound = <T>(
  result: T[],
  { total, more, next }: { total: number; more: boolean; next?: string | undefined },
) =>
  reply(
    { total, count: result.length, result, ...(more && { total_is_at_least: true }) },
    { next },
  );

/**
 * Answers with one page of a list, and its length as `count`.
 *
 * @param total length of the whole list; by default that of the page
 * @param next the position where the next page begins; undefined on the last page
 */
export const replyPage = <T>(
  result: T[],
  { total = result.length, next }: { total?: number | undefined; next?: string | undefined } = {},
): Reply<{ total: number; count: number; result: T[] }> =>
  reply({ total, count: result.length, result }, { next });
