import { Change } from '#shared/db/change.ts';
import { commit } from '#shared/db/commit.ts';
import { type RequestContext, runInRequest } from '#shared/db/request-context.ts';
import { ApiError } from '#shared/model/errors.ts';

type Decided<T> = T | Change<T>;

/** Runs work as a request: commits the resulting change and waits for background work. */
export const request = <T>(
  work: (context: RequestContext) => Decided<T> | Promise<Decided<T>>,
  budget = 2_500,
) =>
  runInRequest('test', budget, async (context): Promise<T> => {
    try {
      const decided = await work(context);
      return decided instanceof Change ? await commit(decided) : decided;
    } finally {
      await Promise.allSettled(context.backgroundWork);
    }
  });

/** The outcome of work: done, the code of its ApiError, or any other error. */
export const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  );
