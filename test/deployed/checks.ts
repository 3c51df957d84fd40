/** Counts what was shown, and says at once what failed. */
export class Checks {
  passed = 0;
  failed = 0;

  /** Does one piece of work under a name. A failure is written and counted, and ends the journey that it is part of. */
  async check<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      const result = await work();
      this.passed += 1;
      process.stdout.write(`  ok      ${name} (${Math.round(performance.now() - start)} ms)\n`);
      return result;
    } catch (error) {
      this.failed += 1;
      process.stdout.write(`  FAILED  ${name}\n${indented(error)}\n`);
      throw new Ended(name);
    }
  }

  /** Does one piece of work on which nothing after it depends. */
  async alone(name: string, work: () => void | Promise<void>): Promise<void> {
    await this.check(name, work).catch(() => {});
  }

  /** Goes through one journey; the journeys after it are gone through whatever becomes of it. */
  async journey(name: string, work: () => Promise<void>): Promise<void> {
    process.stdout.write(`\n${name}\n`);
    try {
      await work();
    } catch (error) {
      if (error instanceof Ended) return;
      this.failed += 1;
      process.stdout.write(`  FAILED  ${name}\n${indented(error)}\n`);
    }
  }
}

/** What failed was told already. */
export class Ended extends Error {
  override readonly name = 'Ended';
}

function indented(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.replaceAll(/^/gm, '          ');
}

/** Asks again until there is an answer that is not undefined. Throws after the time is over. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  milliseconds = 20_000,
): Promise<T> {
  for (const end = Date.now() + milliseconds; Date.now() < end; ) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`There is no ${what} after ${milliseconds / 1_000} s.`);
}
