import { inspect } from 'node:util';
import { expect } from 'vitest';
import { aTime } from './expectations.ts';

/** The sentence with which the operator's function refuses a request. Lambda logs the error, which has no secret. */
export async function sentenceOf(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((reason: unknown) => reason as Error);
  expect(inspect(error, { depth: 9 })).not.toMatch(/sha256|cursor_key|write_id/);
  return (error as Error).message;
}

/** A secret of a project or of a client, as the operator's function lists it. */
export const aSecret = () => ({
  secret_id: expect.stringMatching(/^[0-9a-f]{8}$/),
  created_at: aTime(),
});
