import { timingSafeEqual } from 'node:crypto';

/** Whether two texts are equal, in a time that tells their lengths at most. */
export function equalInConstantTime(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
