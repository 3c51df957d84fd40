import type { Survivor } from './survivors.ts';

type Mutant = [line: string, code: string, by: string];

/** Mutants of one module that survive for the same reason. */
export const living = (file: string, reason: string, ...mutants: Mutant[]): Survivor[] =>
  mutants.map(([line, code, by]) => ({ file, line, code, by, reason }));
