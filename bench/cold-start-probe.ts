import { writeSync } from 'node:fs';

/**
 * One cold start, in a separate process: imports a bundle, calls its handler once, and reports to file descriptor 3.
 * Written as the only code of the process beside the bundle, so that both sides of a ratio start alike.
 */

/** Microseconds of all threads, and milliseconds, since the process started. */
export type Moment = { cpu: number; wall: number };
export type ColdStart = { started: Moment; imported: Moment; answered: Moment; outcome: string };

const now = (): Moment => {
  const { user, system } = process.cpuUsage();
  return { cpu: user + system, wall: performance.now() };
};

const [bundle = '', event = ''] = process.argv.slice(2);
const context = { awsRequestId: 'cold', getRemainingTimeInMillis: () => 20_000 };
const started = now();
const { handler } = (await import(bundle)) as {
  handler(event: unknown, given: object): Promise<{ statusCode?: number } | undefined>;
};
const imported = now();
const outcome = await handler(JSON.parse(event), context).then(
  (answer) => String(answer?.statusCode ?? 'done'),
  (error: Error) => error.name,
);
const report: ColdStart = { started, imported, answered: now(), outcome };
writeSync(3, JSON.stringify(report));
process.exit(0);
