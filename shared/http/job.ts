// oxlint-disable-next-line import/no-named-as-default -- its types know no other export
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { JobName } from '../contract/functions.ts';
import { currentRequest, type RequestContext, runInRequest } from '../db/request-context.ts';
import { type LogLine, log } from './log.ts';

/** Fields that the log line of an error has in addition to the error. */
type About = Pick<LogLine, 'project_id' | 'mail_id'>;

/** What a job gets in addition to its event. */
export type Job = {
  request: RequestContext;
  lambda: Context;
  /** Logs an error that does not fail the invocation. */
  logError(cause: unknown, about?: About): void;
};

type Options<E> = {
  /** Milliseconds reserved for the response. */
  reserve: number;
  about?(event: E): About;
};

/**
 * Wraps a background function: a deadline, and an error line in the log if it fails. Lambda or the queue then retries,
 * so `work` must be safe to repeat and to stop at any point. `projects.admin` is not wrapped: its errors are the
 * operator's result.
 */
export function job<E, R>(
  operation: JobName,
  { reserve, about }: Options<E>,
  work: (event: E, job: Job) => Promise<R>,
): (event: E, lambda: Context) => Promise<R> {
  const logError: Job['logError'] = (cause, more) => {
    const { id, now } = currentRequest();
    const duration_ms = Date.now() - now.getTime();
    log({ level: 'error', operation, request_id: id, duration_ms, ...more, cause });
  };
  const frame = middy<E, R>({ timeoutEarlyInMillis: 0 })
    .use({ onError: ({ error, event }) => logError(error, about?.(event)) })
    .handler((event: E, lambda: Context) =>
      work(event, { request: currentRequest(), lambda, logError }),
    );
  return (event, lambda) =>
    runInRequest(lambda.awsRequestId, lambda.getRemainingTimeInMillis() - reserve, () =>
      frame(event, lambda),
    );
}
