import { setTimeout as sleep } from 'node:timers/promises';

let comeAgain = 0;

/** Starts all requests at once. Retries after a 503, which a busy machine may cause. */
export function times<T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> {
  const persist = async (i: number): Promise<T> => {
    const made = await make(i);
    if ((made as { status?: number } | undefined)?.status !== 503) return made;
    comeAgain += 1;
    await sleep(1_000);
    return persist(i);
  };
  return Promise.all(Array.from({ length: count }, (_, i) => persist(i)));
}

/** The number of responses by code, or by status without a code: `{ 201: 1, already_member: 9 }`. */
export function counted(answers: { status: number; body: unknown }[]) {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const outcome = (body as { code?: string } | null)?.code ?? String(status);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Whether a request in this file got a 503; it may have been executed nevertheless. */
export const disturbed = (): boolean => comeAgain > 0;

/** The expected `counted` if one of many requests created what the others found. That one may have got a 503. */
export const oneOf = (count: number, made: string, found: string) => [
  { [made]: 1, [found]: count - 1 },
  ...(disturbed() ? [{ [found]: count }] : []),
];
export const oneOf200 = () => oneOf(200, '201', '200');
