/** An access token that says that its user has just proven who they are; undefined: they have not. */
type Proof = string | undefined;

/** Asks the signed-in user to authenticate again, once for all calls that wait for it. */
export type ProofPrompt = ReturnType<typeof createProofPrompt>;

export function createProofPrompt() {
  const listeners = new Set<() => void>();
  let pendingPrompt: { promise: Promise<Proof>; end: (token?: string) => void } | undefined;
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  return {
    current: () => pendingPrompt,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ask(): Promise<Proof> {
      if (pendingPrompt) return pendingPrompt.promise;
      let resolve: (token: Proof) => void = () => {};
      const promise = new Promise<Proof>((resolvePromise) => {
        resolve = resolvePromise;
      });
      const end = (token?: string) => {
        pendingPrompt = undefined;
        tell();
        resolve(token);
      };
      pendingPrompt = { promise, end };
      tell();
      return promise;
    },
  };
}
