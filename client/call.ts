/** As the global `fetch`, whose own type asks for more in some runtimes, such as Bun for `preconnect`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Options of one call. */
export type CallOptions = {
  /** The Authorization header of this call, instead of the client's. */
  authorization?: string | undefined;
  /**
   * Repeats a call that you made before: with the same key it takes effect once. By default each call has a new one.
   */
  idempotencyKey?: string | undefined;
  /**
   * The `ETag` of the version to change: the call fails with `precondition_failed` if it is no longer current. One that a
   * proxy has made weak (`W/"…"`) counts as the tag of the service, whose tags are all strong.
   */
  ifMatch?: string | undefined;
  /** Ends the call, and the waiting between its tries. */
  signal?: AbortSignal | undefined;
};

/** A success: its status, its headers such as `etag`, and its body. */
export type Result<Body> = { status: number; headers: Headers; body: Body };

/** An operation. Path, query and body fields are in one object; their names never collide. */
export type Call<Input, Body> =
  Record<string, never> extends Input
    ? (input?: Input, options?: CallOptions) => Promise<Result<Body>>
    : (input: Input, options?: CallOptions) => Promise<Result<Body>>;

/** An operation whose input is not known here. */
export type Verb = (input: object | undefined, options?: CallOptions) => Promise<unknown>;
