import { BoundedMap } from './bounded-map.ts';

/** What an instance has read, by name. A reading that fails is forgotten: the next request reads again. */
export class ReadCache<Value> {
  readonly #readings: BoundedMap<{ at: number; value: Promise<Value> }>;

  /** @param limit how many are kept: others may choose the names */
  constructor(limit: number) {
    this.#readings = new BoundedMap(limit);
  }

  /** What was read at most `maxAge` seconds ago, or what is read now. Who comes meanwhile waits for the same reading. */
  get(name: string, now: Date, maxAge: number, read: () => Promise<Value>): Promise<Value> {
    const at = now.getTime();
    const known = this.#readings.get(name);
    if (known && at - known.at < maxAge * 1_000) return known.value;
    const reading = { at, value: read() };
    this.#readings.set(name, reading);
    reading.value.catch(() => {
      if (this.#readings.get(name) === reading) this.#readings.delete(name);
    });
    return reading.value;
  }

  /** The next request reads again. */
  delete(name: string): void {
    this.#readings.delete(name);
  }
}
