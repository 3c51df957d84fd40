import type { Caller, UsedKey } from '../../access/caller.ts';
import { currentRequest } from '../../db/request-context.ts';
import type { Exchange } from '../exchange.ts';
import { type LogLine, log } from '../log.ts';

/** Writes one log line for each request, whatever its result, after its background work has ended. */
export const requestLog = (operation: string) => ({
  async requestEnd({ internal, response }: Pick<Exchange, 'internal' | 'response'>): Promise<void> {
    const { id, now, backgroundWork, subject, survived, reruns } = currentRequest();
    await Promise.allSettled(backgroundWork);
    const { caller, failure, unnamed } = internal;
    const { statusCode = 500, headers = {} } = response ?? {};
    log({
      level: statusCode >= 500 || survived !== undefined ? 'error' : 'info',
      operation,
      request_id: id,
      status: statusCode,
      duration_ms: Date.now() - now.getTime(),
      ...(failure && { code: failure.code, reason: failure.reason }),
      ...(survived !== undefined && { cause: survived }),
      ...(failure && statusCode >= 500 && { cause: failure.cause ?? failure }),
      ...describe(caller),
      ...(unnamed && { client: 'unnamed' }),
      ...subject,
      ...(headers['idempotency-replayed'] && { replayed: true }),
      ...(reruns > 0 && { reruns }),
    });
  },
});

/** The fields of all kinds of callers. */
type AnyCaller = {
  kind: Caller['kind'];
  key: UsedKey;
} & Record<'project_id' | 'uid' | 'workspace_id', string>;

/** A field that the caller does not have is undefined, so the line is without it. */
function describe(caller: Caller | undefined): Partial<LogLine> {
  const { kind, project_id, uid, workspace_id, key } = (caller ?? {}) as Partial<AnyCaller>;
  return { caller: key ? 'api_key' : kind, project_id, uid, workspace_id, key_id: key?.key_id };
}
