/**
 * A 503 (RFC 9457), for errors that Hono finds it at: it answers by their `getResponse`, and by no status.
 * @param retryAfter seconds
 */
export const unavailable = (retryAfter?: number): Response =>
  new Response(
    JSON.stringify({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      code: 'temporarily_unavailable',
    }),
    {
      status: 503,
      headers: {
        'content-type': 'application/problem+json',
        ...(retryAfter !== undefined && { 'retry-after': `${retryAfter}` }),
      },
    },
  );
