import type { Request } from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type * as z from 'zod';
import type { Caller, CallerOf, KeyCallerOf } from '../access/caller.ts';
import type { Route } from '../contract/route.ts';
import type { Change } from '../db/change.ts';
import type { ApiError, FieldError } from '../model/errors.ts';
import type { Page } from '../model/page.ts';
import type { CursorScope } from './cursor.ts';
import type { Match } from './precondition.ts';
import type { HttpResponse } from './problem.ts';
import type { EncodedReply, Reply } from './reply.ts';
import type { RequestHeaders } from './request-headers.ts';

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Input of a handler: validated, with exactly the kinds of callers that its route accepts. */
export type Input<R extends Route> = {
  params: Output<R['params']>;
  query: Output<R['query']>;
  body: Output<R['body']>;
  caller: CallerOf<R['auth']> | KeyCallerOf<R['name']>;
  /** The page that the query of a paged list requests. */
  page: Page;
  /** The client, as reported by API Gateway or a trusted proxy. */
  client: {
    address: string;
    user_agent: string;
    /** An empty one is another thing than none. */
    accept_encoding: string | undefined;
    /** The host that it has called. Anybody can invent one, so nothing is ever sent to it or made of it. */
    host: string;
    /** The query as it came. */
    search: string;
    /** The Authorization header, for the route at which OAuth clients authenticate. */
    authorization: string | undefined;
    /** Each `name=value`, for `readCookie`. */
    cookies: readonly string[];
  };
  /** Checks the resource against `If-Match`; absent if the request has no such header. */
  match?: Match;
  /**
   * For handlers that commit several changes before their response is recorded: throws `content_too_large` if the
   * record has no room for the largest possible result. Absent if no response is recorded.
   */
  requireAnswerRoom?: (result: unknown) => Promise<void>;
  method: string;
  path: string;
  now: Date;
};

type Body<R extends Route> = z.input<R['response']>;
/** The other answer of a route, with its status. */
type Otherwise<R extends Route> = R['otherwise'] extends { response: infer S extends z.ZodType }
  ? Reply<z.input<S>>
  : never;
/** The result of an endpoint. */
export type Result<R extends Route> = Body<R> | Reply<Body<R>> | Otherwise<R> | EncodedReply;

/** A handler: returns its result, or a change that produces the result. */
export type Run<R extends Route> = (input: Input<R>) => Promise<Result<R> | Change<Result<R>>>;

/** A fully validated request, which replaces API Gateway's event. */
export type Validated<R extends Route> = Pick<APIGatewayProxyEventV2, 'headers'> & {
  input: Input<R>;
  preconditions: RequestHeaders;
  /** The scope of the list's cursors; undefined for routes without cursors. */
  cursorScope: CursorScope | undefined;
};

/** Notes that middlewares leave for later ones and for the log. */
export type Notes = {
  caller?: Caller;
  address?: string;
  /** The trusted proxy did not name the client. */
  unnamed?: true;
  /** Problems of the body as JSON; reported together with the other validation errors. */
  bodyErrors?: readonly FieldError[];
  /** The body could be read in more than one way, or not at all: it is not validated. */
  unreadable?: boolean;
  failure?: ApiError;
};

/** A request as middlewares see it before validation. */
export type Exchange = Request<APIGatewayProxyEventV2, HttpResponse, Error, Context, Notes>;
