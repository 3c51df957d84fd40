import { globSync, readFileSync } from 'node:fs';

/**
 * What leaves a trace in the process (the clock, the environment, spies, an engine that fails, keys), and what looks at
 * all that the table holds.
 */
const traces = new RegExp(
  [
    String.raw`useFakeTimers|atWindow\(|\bpass\(|process\.env|\bvi\.|attack/traces|\./traces`,
    String.raw`authorization-run|StreamEnabled|startWorld\(\{|startFaultyEngine|openFaultyTable|startProxy|local/(?:lambda|load|permissions)`,
    String.raw`keys\.rotate|secrets\.rotate|_local/mail|table\.all\(|get-or-create|0192f0c1-7c1e`,
  ].join('|'),
);

/** Faults, races, random input, who may do what with everything, and large lists: minutes of work, run apart. */
const exhausts = /^test\/(?:faults|races|fuzz|attack\/authorization|page-cost)/;

const all = globSync('test/**/*.test.ts');
const files = all.filter((file) => !exhausts.test(file));
const leavesNoTrace = (file: string): boolean => {
  const source = readFileSync(file, 'utf8');
  return source.includes('await startWorld();') && !traces.test(source);
};

/**
 * Which test files share one service a worker, each with a project of its own in it, and which have a process to
 * themselves. Starting a service costs more than most files do with it.
 */
export const lanes = {
  shared: files.filter(leavesNoTrace),
  alone: files.filter((file) => !leavesNoTrace(file)),
  /** Run by `npm run test:exhaustive`. */
  exhaustive: all.filter((file) => exhausts.test(file)),
};
