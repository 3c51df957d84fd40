/** The generalised harmonic number: the sum of the shares of `n` ranks before normalisation. */
function harmonic(n: number, exponent: number): number {
  const exact = Math.min(n, 10_000);
  let total = 0;
  for (let rank = 1; rank <= exact; rank += 1) total += rank ** -exponent;
  if (n <= exact) return total;
  // The others by their integral.
  const integral = (x: number) =>
    exponent === 1 ? Math.log(x) : x ** (1 - exponent) / (1 - exponent);
  return total + integral(n + 0.5) - integral(exact + 0.5);
}

/** The shares of the first `count` of `n` ranks under Zipf's law, the largest first; all `n` together have 1. */
export function zipfShares(n: number, exponent: number, count: number): number[] {
  const ranks = Math.max(1, Math.round(n));
  const total = harmonic(ranks, exponent);
  return Array.from({ length: Math.min(ranks, count) }, (_, i) => (i + 1) ** -exponent / total);
}
