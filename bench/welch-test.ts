/**
 * Welch's test: how two samples differ, which may do so in variance and size. `t` is the difference of the means in
 * standard errors; beyond 4.5 it is no accident (1 in 100,000).
 */
export function welchTest(a: readonly number[], b: readonly number[]) {
  const [one, two] = [moments(a), moments(b)];
  const error = Math.sqrt(one.variance / a.length + two.variance / b.length);
  return { a: one.mean, b: two.mean, t: (one.mean - two.mean) / error };
}

/**
 * The same without what is longer than nine tenths of both samples together: what a busy machine does to a few
 * requests hides a small difference between all of them.
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
