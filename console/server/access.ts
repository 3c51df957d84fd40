import { setTimeout as sleep } from 'node:timers/promises';
import { lifetimes } from '../../shared/model/limits.ts';
import type { OperatorRequest } from '../../shared/operator/request.ts';
import type { NewSecret } from '../../shared/operator/secrets.ts';

/** Sends a request of the operator, with the operator's own credentials. */
export type Operate = (request: OperatorRequest) => Promise<unknown>;

/** The secrets of this run: one for each project that is looked at, in the memory of this process alone. */
export type Access = ReturnType<typeof createAccess>;

/** Seconds. A process that dies leaves a secret behind for no longer than that. */
const lifetime = 3_600;
/** Seconds before its end at which a secret is replaced. */
const margin = 300;

/**
 * @param pause milliseconds until every instance accepts a secret that has just been made
 * @param name of the secrets, by which operators tell them from those of backends
 */
export function createAccess(
  operate: Operate,
  pause: number = lifetimes.projectReread * 1_000 + 200,
  name = 'console',
) {
  const current = new Map<string, { until: number; secret: Promise<string> }>();
  /** Every secret of this run, so that none outlives it. */
  const made: { project_id: string; secret_id: string }[] = [];

  async function create(project_id: string): Promise<string> {
    const request = { action: 'create-secret', project_id, name } as const;
    const answer = (await operate({ ...request, expires_in: lifetime })) as NewSecret;
    const [own] = answer.secrets;
    if (own) made.push({ project_id, secret_id: own.secret_id });
    await sleep(pause);
    return answer.secret;
  }

  return {
    /** The Authorization header of a project. Rejects with the operator function's own sentence. */
    async authorization(project_id: string): Promise<string> {
      let held = current.get(project_id);
      if (!held || held.until <= Date.now()) {
        held = { until: Date.now() + (lifetime - margin) * 1_000, secret: create(project_id) };
        current.set(project_id, held);
      }
      try {
        return `Basic ${btoa(`${project_id}:${await held.secret}`)}`;
      } catch (error) {
        if (current.get(project_id) === held) current.delete(project_id);
        throw error;
      }
    },
    /** After the service has refused the secret: somebody has revoked it. */
    forget(project_id: string): void {
      current.delete(project_id);
    },
    /** The id of the newest secret of this run. */
    newest(): string | undefined {
      return made.at(-1)?.secret_id;
    },
    /** Revokes every secret of this run. Resolves with a sentence for each that could not be. */
    async close(): Promise<string[]> {
      // One that is being made now would be left behind.
      await Promise.allSettled([...current.values()].map(({ secret }) => secret));
      current.clear();
      const endings = made.splice(0).map(async ({ project_id, secret_id }) => {
        try {
          await operate({ action: 'revoke-secret', project_id, secret_id });
          return [];
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          if (why.includes('has no secret')) return [];
          return [
            `The secret ${secret_id} of ${project_id} was not revoked (${why}); it expires within an hour.`,
          ];
        }
      });
      return (await Promise.all(endings)).flat();
    },
  };
}
