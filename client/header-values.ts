/** Headers as a Fetch `Request`, Node, Express, Fastify or API Gateway has them. */
export type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Every value of a header, whose name is written in any case. */
export function headerValues(headers: HeaderSource, name: string): string[] {
  if ('get' in headers && typeof headers.get === 'function') {
    const value = headers.get(name);
    return value === null ? [] : [value];
  }
  return Object.entries(headers).flatMap(([key, value]) =>
    key.toLowerCase() === name && value !== undefined ? value : [],
  ) as string[];
}
