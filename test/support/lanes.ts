import { globSync, readFileSync } from 'node:fs';

/**
 * What leaves a trace in the process (the environment, spies, an engine that fails, keys), starts others with its
 * environment, or looks at all that the table holds.
 */
const traces = new RegExp(
  [
    String.raw`\.\.\.process\.env|stubEnv|(?:delete |assign\()process\.env|process\.env\[[^\]]+\] (?:\?\?)?=|\bvi\.(?:spy|mock|stubGlobal|reset)`,
    String.raw`attack/traces|\./traces|authorization-run|StreamEnabled|startWorld\(\{|startFaultyEngine|startProxy`,
    String.raw`local/(?:lambda|load|permissions)|secrets\.rotate|_local/mail|table\.all\(|get-or-create`,
  ].join('|'),
);

/** Faults, races, random input, who may do what with everything, and large lists: minutes of work, run apart. */
const exhausts =
  /^test\/(?:faults|races|fuzz|attack\/authorization|contract\/operation-notes|page-cost)/;

const all = globSync('test/**/*.test.ts');
const files = all.filter((file) => !exhausts.test(file));
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const laneOf = (file: string): 'shared' | 'tables' | 'pure' | 'alone' => {
  const source = sources.get(file) ?? '';
  if (traces.test(source)) return 'alone';
  if (source.includes('await startWorld();')) return 'shared';
  if (source.includes('startWorld')) return 'alone';
  return source.includes('openFaultyTable') ? 'tables' : 'pure';
};
const lane = (name: ReturnType<typeof laneOf>) => files.filter((file) => laneOf(file) === name);

/**
 * Which test files share a worker one after another: those with the service, of which each has a project of its own; those
 * with a table that fails, of which each has its own; and those without either. The rest have a process to themselves. Starting a process and a service costs more than most files do.
 */
export const lanes = {
  shared: lane('shared'),
  tables: lane('tables'),
  pure: lane('pure'),
  alone: lane('alone'),
  /** Run by `npm run test:exhaustive`. */
  exhaustive: all.filter((file) => exhausts.test(file)),
};
