import type { Caller, PersonCaller } from '../access/caller.ts';
import type { Write } from '../db/change.ts';
import type { AnswerRecord } from '../db/commit.ts';
import { keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import { ApiError } from '../model/errors.ts';
import { equalInConstantTime, sha256 } from '../model/ids.ts';
import { limits } from '../model/limits.ts';
import { type EncryptionKey, fingerprintOf, seal, unseal } from './idempotency-encryption.ts';
import {
  answering,
  claim,
  getAnswered,
  type IdempotencyItem,
  recordOf,
  release,
} from './idempotency-record.ts';

/** The content that decides whether two requests of one caller are the same. */
type RequestContent = {
  operation: string;
  params: unknown;
  query: unknown;
  body: unknown;
  ifMatch?: unknown;
};

/** A request with an Idempotency-Key that this invocation has claimed. */
type Claimed = {
  /**
   * The record of the response, written in the transaction of the change. Throws `content_too_large` before the
   * transaction.
   */
  record<R>(toText: (answer: R) => string): AnswerRecord<R>;
  /** Throws `content_too_large` if the record has no room for a response. */
  requireAnswerRoom(answer: string): Promise<void>;
  /** Releases the key, because the request failed. */
  release(): Promise<void>;
};

/**
 * Starts a request with an Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): claims it, or returns the
 * stored response. Throws `idempotency_key_reused` if the key was used with a different request, `request_in_progress`
 * while an identical request is running.
 */
export async function begin(
  idempotencyKey: string,
  caller: Caller | undefined,
  content: RequestContent,
): Promise<Claimed | { replay: string }> {
  const request = currentRequest();
  const { now, sessionVerified } = request;
  const key = keys.idempotency(nameOf(caller, content), idempotencyKey);
  request.idempotencyId = sha256(key.pk);
  const sealing: EncryptionKey = { key: idempotencyKey, record: key.pk };
  const fingerprint = fingerprintOf(sealing, canonicalJson(content));
  try {
    await sessionVerified;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'unauthenticated')) throw error;
    // A caller that ended its own session but lost the response retries without a live session.
    const record = await getAnswered(key, now);
    const same = record?.ended_session && equalInConstantTime(record.fingerprint, fingerprint);
    if (record?.answer && same) return { replay: await unseal(sealing, record.answer) };
    throw error;
  }
  let claimed: IdempotencyItem;
  try {
    claimed = await claim(key, fingerprint, now);
  } catch (error) {
    const record = recordOf(error);
    if (!equalInConstantTime(record.fingerprint, fingerprint))
      throw new ApiError('idempotency_key_reused');
    if (record.answer) return { replay: await unseal(sealing, record.answer) };
    throw inProgress(Math.ceil((record.claimed_until - now.getTime()) / 1_000));
  }
  const sealed = async (text: string) => {
    const answer = await seal(sealing, text);
    if (answer.length > limits.sealedAnswer) throw tooLarge();
    return answer;
  };
  return {
    record: (toText) => ({
      write: async (result, writes) => {
        const answer = await sealed(toText(result));
        const ends = caller?.kind === 'person' && !caller.key && endsSession(caller, writes);
        return answering(claimed, { answer, ...(ends && { ended_session: true }) });
      },
      // Another request took over the claim, because this one took too long.
      taken: () => inProgress(1),
    }),
    requireAnswerRoom: async (text) => void (await sealed(text)),
    release: () => release(claimed),
  };
}

const tooLarge = (): ApiError =>
  new ApiError('content_too_large', {
    detail:
      'The response would be too large to store for the Idempotency-Key: request less at once',
  });

const inProgress = (seconds: number): ApiError =>
  new ApiError('request_in_progress', { retryAfter: Math.max(1, seconds) });

/**
 * The owner of the key: all secrets of a project share it, and all sessions of a user. An API key has its own: it must
 * not get a response that it is not allowed to ask for.
 */
function nameOf(caller: Caller | undefined, { body }: RequestContent): string {
  switch (caller?.kind) {
    case undefined:
      return `PUBLIC#${(body as { project_id?: string } | undefined)?.project_id ?? ''}`;
    case 'project':
      return `PROJECT#${caller.project_id}`;
    case 'person':
      return caller.key ? `API_KEY#${caller.key.key_id}` : `USER#${caller.uid}`;
    case 'workspace':
      return `API_KEY#${caller.key.key_id}`;
    case 'refresh':
      return `REFRESH#${sha256(caller.token)}`;
  }
}

/** Whether these writes end the caller's session. */
function endsSession(
  { uid, session_id }: PersonCaller,
  writes: Readonly<Record<string, Write>>,
): boolean {
  const { pk, sk } = keys.session(uid, session_id);
  return Object.values(writes).some(
    (write) => write.kind === 'delete' && write.key.pk === pk && write.key.sk === sk,
  );
}
