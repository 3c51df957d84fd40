import { useRef } from 'react';
import type { CallOptions } from '../call.ts';
import { newKey } from '../send.ts';

/**
 * Calls with one Idempotency-Key until there is a success, while the input stays the same: who tries again after a lost
 * answer gets it, and does not change the same thing twice.
 * @param lifetime of the key, in milliseconds; the service keeps an answer for a day
 */
export function useSameKey(lifetime = 86_400_000) {
  const last = useRef({ text: '', idempotencyKey: '', at: 0 });
  return async <Input, Answer>(
    input: Input,
    call: (input: Input, options: CallOptions) => Promise<Answer>,
  ): Promise<Answer> => {
    const text = JSON.stringify(input);
    const now = Date.now();
    if (last.current.text !== text || now - last.current.at > lifetime)
      last.current = { text, idempotencyKey: newKey(), at: now };
    const { idempotencyKey } = last.current;
    const answer = await call(input, { idempotencyKey });
    last.current.text = '';
    return answer;
  };
}
