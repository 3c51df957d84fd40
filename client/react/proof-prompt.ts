/** An access token that says that its user has just proven who they are; undefined: they have not. */
type Proven = string | undefined;

/** Asks who is signed in to prove it, once for all that waits for it. */
export type ProofPrompt = ReturnType<typeof createProofPrompt>;

export function createProofPrompt() {
  const listeners = new Set<() => void>();
  let asking: { promise: Promise<Proven>; end: (proven?: string) => void } | undefined;
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  return {
    current: () => asking,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ask(): Promise<Proven> {
      if (asking) return asking.promise;
      let resolve: (proven: Proven) => void = () => {};
      const promise = new Promise<Proven>((done) => {
        resolve = done;
      });
      const end = (proven?: string) => {
        asking = undefined;
        tell();
        resolve(proven);
      };
      asking = { promise, end };
      tell();
      return promise;
    },
  };
}
