import { useRef } from 'preact/hooks';
import type { Session } from '../../client/generated/api.ts';

/**
 * Proves something that can be proved once, such as a mailed code, and goes on with the session. Where only that fails, as
 * without a connection, another try goes on with the session that is there: the proof is used.
 */
export function useProof(onEnter: (session: Session) => Promise<unknown>) {
  const lastProof = useRef<{ proof: string; session: Session }>(undefined);
  return async (proof: string, prove: () => Promise<Session>): Promise<void> => {
    if (lastProof.current?.proof !== proof) lastProof.current = { proof, session: await prove() };
    await onEnter(lastProof.current.session);
  };
}
