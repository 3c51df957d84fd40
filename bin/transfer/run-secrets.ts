import { setTimeout as sleep } from 'node:timers/promises';
import { lifetimes } from '../../shared/model/limits.ts';
import { messageOf } from '../../shared/model/message-of.ts';
import type { OperatorRequest } from '../../shared/operator/request.ts';
import type { NewSecret } from '../../shared/operator/secrets.ts';

/** Sends a request of the operator, with the operator's own credentials. */
export type Operate = (request: OperatorRequest) => Promise<unknown>;

/** The secrets of a run: one for each project that it calls, in the memory of this process alone. */
export type RunSecrets = ReturnType<typeof createRunSecrets>;

type Made = { project_id: string; secret_id: string; expires: boolean };
type Held = {
  until: number;
  pending: Promise<string>;
  /** Absent while the secret is being created. */
  header?: string;
};

/** Lifetime in seconds. A killed process leaves a secret behind for at most this time. */
const lifetime = 3_600;
/** Seconds before its expiry at which a secret is replaced. */
const margin = 300;
/** Milliseconds for which no secret is created after the service has rejected a new one. */
const refusedFor = 30_000;

type RunSecretsOptions = {
  /** Name of each secret, by which operators distinguish it from secrets of backends. */
  name: string;
  /** Milliseconds until every instance accepts a new secret. */
  pause?: number | undefined;
};

export function createRunSecrets(
  operate: Operate,
  { name, pause = lifetimes.projectReread * 1_000 + 200 }: RunSecretsOptions,
) {
  const current = new Map<string, Held>();
  /** Every secret that must not outlive this run. */
  const made: Made[] = [];
  /** Calls that may still create one, including those that nobody awaits any longer. */
  const pending = new Set<Promise<unknown>>();
  const refused = new Map<string, { until: number; why: Error }>();
  let closed = false;

  /**
   * Starts work that may create a secret. Rejects once the run has ended; the end of the run waits for started work.
   */
  async function untilClosed<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw new Error('This run has ended.');
    const started = work();
    pending.add(started);
    try {
      return await started;
    } finally {
      pending.delete(started);
    }
  }

  async function create(project_id: string): Promise<string> {
    const request = { action: 'create-secret', project_id, name } as const;
    const answer = (await operate({ ...request, expires_in: lifetime })) as NewSecret;
    const [own] = answer.secrets;
    if (own) made.push({ project_id, secret_id: own.secret_id, expires: true });
    return answer.secret;
  }

  async function headerOf(project_id: string): Promise<string> {
    const secret = await untilClosed(() => create(project_id));
    await sleep(pause);
    if (closed) throw new Error('This run has ended.');
    return `Basic ${btoa(`${project_id}:${secret}`)}`;
  }

  /** Resolves with the reason if it could not be revoked, otherwise with undefined. */
  async function revoke({ project_id, secret_id, expires }: Made): Promise<string | undefined> {
    try {
      await operate({ action: 'revoke-secret', project_id, secret_id });
      return undefined;
    } catch (error) {
      const why = messageOf(error);
      if (why.includes('has no secret')) return undefined;
      const end = expires
        ? 'it expires within an hour'
        : 'it does not expire: revoke it with npm run project:revoke-secret';
      return `The secret ${secret_id} of ${project_id} was not revoked (${why}); ${end}.`;
    }
  }

  return {
    /** The Authorization header of a project. Rejects with the operator function's own sentence. */
    async authorization(project_id: string): Promise<string> {
      const past = refused.get(project_id);
      if (past && past.until > Date.now()) throw past.why;
      let entry = current.get(project_id);
      if (!entry || entry.until <= Date.now()) {
        entry = { until: Date.now() + (lifetime - margin) * 1_000, pending: headerOf(project_id) };
        current.set(project_id, entry);
      }
      try {
        entry.header = await entry.pending;
        return entry.header;
      } catch (error) {
        if (current.get(project_id) === entry) current.delete(project_id);
        throw error;
      }
    },
    /**
     * Call after the service has rejected this header because its secret was revoked. A newer secret, or one being
     * created, stays: many requests may be rejected at the same time.
     */
    forget(project_id: string, authorization: string): void {
      if (current.get(project_id)?.header === authorization) current.delete(project_id);
    },
    /** Call after the service has rejected a new secret. No further secret is created for a while. */
    refuse(project_id: string, why: Error): void {
      refused.set(project_id, { until: Date.now() + refusedFor, why });
    },
    untilClosed,
    /**
     * Revokes a secret without expiry that nobody has seen. Resolves with a sentence if that failed; it is then retried
     * when this run ends.
     */
    async revokeUnseen(project_id: string, secret_id: string): Promise<string | undefined> {
      const unseen = { project_id, secret_id, expires: false };
      made.push(unseen);
      const left = await revoke(unseen);
      if (left === undefined) made.splice(made.indexOf(unseen), 1);
      return left;
    },
    /** The id of the newest secret of this run. */
    newest(): string | undefined {
      return made.at(-1)?.secret_id;
    },
    /** Revokes every secret of this run. Resolves with a sentence for each that could not be. */
    async close(): Promise<string[]> {
      closed = true;
      current.clear();
      // A secret that is being created now would be left behind.
      while (pending.size > 0) await Promise.allSettled(pending);
      const left = await Promise.all(made.splice(0).map(revoke));
      return left.filter((sentence) => sentence !== undefined);
    },
  };
}
