/** A reason why the local server cannot start, as one sentence for the user; never a stack trace. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
