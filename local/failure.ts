/** What keeps the local server from starting, as one sentence for whoever started it; never a stack trace. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
