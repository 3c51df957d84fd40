import { failuresOf, type Route } from '../../contract/route.ts';
import { currentRequest } from '../../db/request-context.ts';
import { type ErrorCode } from '../../model/error-codes.ts';
import { ApiError } from '../../model/errors.ts';
import type { Exchange } from '../exchange.ts';
import { aroundTheProxy, toProblem } from '../problem.ts';
import { AroundTheProxy } from './trusted-proxy.ts';

/**
 * Converts a thrown error to a problem document (RFC 9457): a failure that the route declares, or an internal error.
 */
export function problemDetails(route: Route) {
  const declared = new Set<ErrorCode>(failuresOf(route));
  return {
    onError(exchange: Exchange): void {
      const { error, event, internal } = exchange;
      if (error instanceof AroundTheProxy) {
        exchange.response = aroundTheProxy;
        return;
      }
      const failure =
        error instanceof ApiError && declared.has(error.code)
          ? error
          : new ApiError('internal_error', { cause: error });
      internal.failure = failure;
      const { authorization } = event.headers;
      const { id } = currentRequest();
      exchange.response = toProblem(failure, { id, route, authorization });
    },
  };
}
