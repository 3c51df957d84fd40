/** The methods and headers that web pages of allowed origins may send and read; the same on AWS and locally. */
export const cors = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  headers: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'],
  exposed: [
    'etag',
    'idempotency-replayed',
    'link',
    'location',
    'retry-after',
    'www-authenticate',
    'x-request-id',
  ],
  /** Seconds. */
  maxAge: 3_600,
} as const;
