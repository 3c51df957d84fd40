import { BoundedMap } from './bounded-map.ts';

/** What an instance has read lately, by name. A reading that fails is forgotten: the next request reads again. */
export class ReadCache<Value> extends BoundedMap<{ at: number; value: Promise<Value> }> {
  /** What was read at most `maxAge` seconds ago, or what is read now. Who comes meanwhile waits for the same reading. */
  read(name: string, now: Date, maxAge: number, read: () => Promise<Value>): Promise<Value> {
    const at = now.getTime();
    const cached = this.get(name);
    // A clock that was set back must not keep it for longer.
    if (cached && Math.abs(at - cached.at) < maxAge * 1_000) return cached.value;
    const reading = { at, value: read() };
    this.set(name, reading);
    reading.value.catch(() => {
      if (this.get(name) === reading) this.delete(name);
    });
    return reading.value;
  }
}
