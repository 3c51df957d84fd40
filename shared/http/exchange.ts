import type { Request } from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type * as z from 'zod';
import type { Caller, CallerOf } from '../access/caller.ts';
import type { Route } from '../contract/route.ts';
import type { Change } from '../db/change.ts';
import type { ApiError, FieldError } from '../model/errors.ts';
import type { CursorScope, Page } from './cursor.ts';
import type { Match } from './precondition.ts';
import type { HttpResponse } from './problem.ts';
import type { EncodedReply, Reply } from './reply.ts';
import type { RequestHeaders } from './request-headers.ts';

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a handler gets: validated input, and exactly the callers that its route lets in. */
export type Input<R extends Route> = {
  params: Output<R['params']>;
  query: Output<R['query']>;
  body: Output<R['body']>;
  caller: CallerOf<R['auth']>;
  /** The page that a paged list's query asks for. */
  page: Page;
  /** Where the request comes from, as far as API Gateway or a trusted proxy vouches for it. */
  client: { address: string; user_agent: string; accept_encoding: string };
  /** Compares the resource with what `If-Match` names; absent where the request has none. */
  match?: Match;
  /**
   * For handlers that commit several changes by themselves before their answer is recorded: throws `content_too_large`
   * where the record has no room for the largest result. Absent where no answer is recorded.
   */
  requireRoom?: (result: unknown) => Promise<void>;
  method: string;
  path: string;
  now: Date;
};

type Body<R extends Route> = z.input<R['response']>;
/** What an endpoint answers. */
export type Result<R extends Route> = Body<R> | Reply<Body<R>> | EncodedReply;

/** What an endpoint does with its input: what it answers, or the change that results in the answer. */
export type Run<R extends Route> = (input: Input<R>) => Promise<Result<R> | Change<Result<R>>>;

/** A request whose every part is valid: it takes the place of API Gateway's event. */
export type Validated<R extends Route> = Pick<APIGatewayProxyEventV2, 'headers'> & {
  input: Input<R>;
  preconditions: RequestHeaders;
  /** For what the cursors of the list's pages are good; absent where there are none. */
  scope: CursorScope | undefined;
  /** How often the handler has started over because its reads were out of date. */
  attempts: { reruns: number };
};

/** What one middleware notes for those after it, and for the log. */
export type Notes = {
  caller?: Caller;
  address?: string;
  /** The trusted proxy did not say for whom it asks. */
  unnamed?: true;
  /** What is wrong with the body as JSON; thrown together with what is wrong elsewhere. */
  bodyErrors?: readonly FieldError[];
  attempts?: { reruns: number };
  failure?: ApiError;
};

/** A request on its way from one middleware to the next, before it is validated. */
export type Exchange = Request<APIGatewayProxyEventV2, HttpResponse, Error, Context, Notes>;
