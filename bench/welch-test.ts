/**
 * Welch's t-test of two samples, which may differ in variance and size. `t` is the difference of the means in standard
 * errors; beyond 4.5 it is significant (1 in 100,000).
 */
export function welchTest(a: readonly number[], b: readonly number[]) {
  const [one, two] = [moments(a), moments(b)];
  const error = Math.sqrt(one.variance / a.length + two.variance / b.length);
  return { a: one.mean, b: two.mean, t: (one.mean - two.mean) / error };
}

/**
 * The same test without values above the 90th percentile of both samples together: disturbances of a few requests on a
 * busy machine would hide a small difference between all of them.
 */
export function croppedWelchTest(a: readonly number[], b: readonly number[]) {
  const all = [...a, ...b].toSorted((x, y) => x - y);
  const longest = all[Math.floor(0.9 * all.length)] ?? Infinity;
  const crop = (sample: readonly number[]) => sample.filter((time) => time < longest);
  return welchTest(crop(a), crop(b));
}

function moments(sample: readonly number[]) {
  const mean = sample.reduce((sum, value) => sum + value, 0) / sample.length;
  const squares = sample.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (sample.length - 1) };
}
