/** A reason why the local server cannot start, as one sentence for the user; never a stack trace. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
