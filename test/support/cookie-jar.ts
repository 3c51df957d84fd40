/** The cookies that a browser keeps of one site, by name. */
export class CookieJar extends Map<string, string> {
  /** The header that the next request has, if the jar has a cookie. */
  get header(): { cookie?: string } {
    const pairs = Array.from(this, ([name, value]) => `${name}=${value}`);
    return pairs.length > 0 ? { cookie: pairs.join('; ') } : {};
  }

  /** Takes the Set-Cookie lines of an answer. As in a browser, an empty value is a value: only a time ends a cookie. */
  keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
      const [, expires = ''] = /; expires=([^;]+)/i.exec(line) ?? [];
      const ends = /; max-age=0(?:;|$)/i.test(line) || Date.parse(expires) <= Date.now();
      if (ends) this.delete(name);
      else this.set(name, value);
    }
  }
}
