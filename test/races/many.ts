import { setTimeout as sleep } from 'node:timers/promises';

let comeAgain = 0;

/** Starts all of it at once. Whoever is told to come again, as a busy machine may, does. */
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

/** How often each code, or status where there is none, was answered: `{ 201: 1, already_member: 9 }`. */
export function counted(answers: { status: number; body: unknown }[]) {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const outcome = (body as { code?: string } | null)?.code ?? String(status);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Whether anybody in this file was told to come again: what they did may have taken effect before. */
export const disturbed = (): boolean => comeAgain > 0;

/** What `counted` finds where one of many made what the others found. A 503 may have been the answer to that one. */
export const oneOf = (count: number, made: string, found: string) => [
  { [made]: 1, [found]: count - 1 },
  ...(disturbed() ? [{ [found]: count }] : []),
];
export const oneOf200 = () => oneOf(200, '201', '200');
