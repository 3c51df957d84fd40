/** Counts the checks, and prints failures immediately. */
export class Checks {
  passed = 0;
  failed = 0;

  /** Runs a named piece of work. A failure is printed and counted, and ends its journey. */
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

  /** Runs a piece of work on which no later work depends. */
  async alone(name: string, work: () => void | Promise<void>): Promise<void> {
    await this.check(name, work).catch(() => {});
  }

  /** Runs one journey; later journeys run even if it fails. */
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

/** The failure was printed already. */
export class Ended extends Error {
  override readonly name = 'Ended';
}

function indented(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.replaceAll(/^/gm, '          ');
}

/** Polls until the result is not undefined. Throws when the time is over. */
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
