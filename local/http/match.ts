/** A route in API Gateway's syntax: `{name}` is one segment, `{name+}` as the last segment is the rest. */
export type MatchableRoute = { method: string; path: string };

export type Match<R> = {
  route: R;
  /** Decoded; undefined if the path has none. */
  pathParameters: Record<string, string> | undefined;
};

type Compiled<R> = { route: R; segments: string[]; greedy: boolean };

/**
 * Implements the route selection of API Gateway HTTP APIs: method and path together, a full match before a greedy one,
 * a literal before a parameter segment by segment, an exact method before `ANY`. A parameter never matches an empty
 * segment.
 */
export function matcher<R extends MatchableRoute>(routes: readonly R[]) {
  const compiled = routes.map((route): Compiled<R> => {
    const segments = route.path.slice(1).split('/');
    return { route, segments, greedy: segments.at(-1)?.endsWith('+}') ?? false };
  });
  compiled.sort((a, b) => compare(rank(a), rank(b)));
  const methods = new Set(routes.map(({ method }) => method));
  const byMethod = new Map(
    [...methods].map((method) => [
      method,
      compiled.filter(({ route }) => route.method === method || route.method === 'ANY'),
    ]),
  );

  return (method: string, path: readonly string[]): Match<R> | undefined => {
    for (const candidate of byMethod.get(method) ?? byMethod.get('ANY') ?? []) {
      const pathParameters = fit(candidate, path);
      if (pathParameters) {
        const some = Object.keys(pathParameters).length > 0;
        return { route: candidate.route, pathParameters: some ? pathParameters : undefined };
      }
    }
    return undefined;
  };
}

function fit<R>({ segments, greedy }: Compiled<R>, path: readonly string[]) {
  if (greedy ? path.length < segments.length : path.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = path[index] ?? '';
    if (!segment.startsWith('{')) {
      if (segment !== part) return undefined;
      continue;
    }
    const value = segment.endsWith('+}') ? path.slice(index).join('/') : part;
    if (value === '') return undefined;
    parameters[segment.replace(/^\{|\+?\}$/g, '')] = value;
  }
  return parameters;
}

function rank<R extends MatchableRoute>({ route, segments, greedy }: Compiled<R>): number[] {
  const parts = segments.map((segment) => (segment.startsWith('{') ? 1 : 0));
  // A longer greedy route is the more specific one.
  return [greedy ? 1 : 0, ...(greedy ? [-parts.length] : []), ...parts, +(route.method === 'ANY')];
}

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
