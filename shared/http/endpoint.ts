// oxlint-disable-next-line import/no-named-as-default -- its types know no other export
import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { budgetOf, isForOwnPages, isPublicByProject, type Route } from '../contract/route.ts';
import { runInRequest } from '../db/request-context.ts';
import { times } from '../model/limits.ts';
import type { Run, Validated } from './exchange.ts';
import { execute } from './execute.ts';
import { authentication } from './middleware/authentication.ts';
import { doorRateLimit } from './middleware/door-rate-limit.ts';
import { formBody } from './middleware/form-body.ts';
import { navigation } from './middleware/navigation.ts';
import { problemDetails } from './middleware/problem-details.ts';
import { requestLog } from './middleware/request-log.ts';
import { sameOrigin } from './middleware/same-origin.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { strictJson } from './middleware/strict-json.ts';
import { trustedProxy } from './middleware/trusted-proxy.ts';
import { validation } from './middleware/validation.ts';
import type { HttpResponse } from './problem.ts';

export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpResponse>;

/**
 * Wraps a handler in the middlewares, one for each concern. They run from top to bottom, then `execute`; a thrown error
 * passes `problemDetails` and then `securityHeaders`.
 */
export function endpoint<const R extends Route>(route: R, run: Run<R>): Handler {
  const { auth } = route;
  const handler = execute(route, run);
  // No middy timeout: the service has its own deadline, which each call to the table observes.
  const frame = middy({ timeoutEarlyInMillis: 0, ...requestLog(route.name) })
    .use(securityHeaders(route))
    .use(problemDetails(route))
    .use(trustedProxy)
    .use(auth.length > 0 ? authentication(route) : [])
    .use(isForOwnPages(route) ? sameOrigin : [])
    .use(route.navigation ? navigation : [])
    .use(bodyReaders(route))
    .use(validation(route))
    .use(isPublicByProject(route) ? doorRateLimit(route.name) : [])
    // By now `validation` has replaced the event with the validated input.
    .handler((validated: unknown) => handler(validated as Validated<R>));
  return (event, lambda) => {
    const budget = Math.min(budgetOf(route), lambda.getRemainingTimeInMillis() - times.reserve);
    return runInRequest(event.requestContext.requestId, budget, () => frame(event, lambda));
  };
}

function bodyReaders(route: Route) {
  const { accepts, body } = route;
  if (!body) return [];
  return accepts === 'form'
    ? formBody({ ...route, body })
    : [strictJson({ ...route, body }), parseJson];
}

const parseJson = httpJsonBodyParser({ disableContentTypeCheck: true });
