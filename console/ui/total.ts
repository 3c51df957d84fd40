/** How many there are, as a list says it: beyond what it counts, at least that many. */
export function totalOf(
  { total, total_is_at_least }: { total: number; total_is_at_least?: boolean },
  [one, many]: [string, string],
): string {
  const count = total.toLocaleString('en');
  return `${total_is_at_least ? `at least ${count}` : count} ${total === 1 ? one : many}`;
}
