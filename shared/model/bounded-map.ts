/** A map of at most `limit` entries: the one that was set last is the newest, and beyond the limit the oldest goes. */
export class BoundedMap<Value> extends Map<string, Value> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(name: string, value: Value): this {
    this.delete(name);
    super.set(name, value);
    const oldest = this.keys().next().value;
    if (this.size > this.#limit && oldest !== undefined) this.delete(oldest);
    return this;
  }
}
