import { Change } from '#shared/db/change.ts';
import { commit } from '#shared/db/commit.ts';
import { runInRequest } from '#shared/db/request-context.ts';

type Decided<T> = T | Change<T>;

/** Runs work as a request would, and commits the change that it comes to. */
export const request = <T>(work: () => Decided<T> | Promise<Decided<T>>, budget = 2_500) =>
  runInRequest('test', budget, async (): Promise<T> => {
    const decided = await work();
    return decided instanceof Change ? commit(decided) : decided;
  });
