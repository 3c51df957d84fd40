/** A mutant that no test can tell from the code. */
export type Survivor = {
  file: string;
  /** The line as it stands, without its indentation; the first one, where the mutant spans several. */
  line: string;
  /** What the mutant replaces, up to the end of that line, and by what. */
  code: string;
  by: string;
  reason: string;
};

/** Every mutant that may live, and why. One that is not here fails `npm run mutate`, and so does one here that died. */
export const survivors: readonly Survivor[] = [];
