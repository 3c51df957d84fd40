import { useRef } from 'react';
import type { CallOptions } from '../call.ts';
import { newKey } from '../send.ts';

/**
 * Calls with one Idempotency-Key until there is a success, while the input stays the same: who tries again after a lost
 * answer gets it, and does not change the same thing twice.
 */
export function useSameKey() {
  const last = useRef({ text: '', idempotencyKey: '' });
  return async <Input, Answer>(
    input: Input,
    call: (input: Input, options: CallOptions) => Promise<Answer>,
  ): Promise<Answer> => {
    const text = JSON.stringify(input);
    if (last.current.text !== text) last.current = { text, idempotencyKey: newKey() };
    const { idempotencyKey } = last.current;
    const answer = await call(input, { idempotencyKey });
    last.current.text = '';
    return answer;
  };
}
