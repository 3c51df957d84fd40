import type { Caller } from '../../access/caller.ts';
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

function describe(caller: Caller | undefined): Partial<LogLine> {
  switch (caller?.kind) {
    case undefined:
      return {};
    case 'refresh':
      return { caller: 'refresh' };
    case 'project':
      return { caller: 'project', project_id: caller.project_id };
    case 'person': {
      const { project_id, uid, key } = caller;
      if (!key) return { caller: 'person', project_id, uid };
      return { caller: 'api_key', project_id, uid, key_id: key.key_id };
    }
    case 'workspace': {
      const { project_id, workspace_id, key } = caller;
      return { caller: 'api_key', project_id, workspace_id, key_id: key.key_id };
    }
  }
}
