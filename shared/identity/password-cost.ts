/** OWASP's least for argon2id (RFC 9106): 19 MiB, 2 passes, 1 lane. A hash of another cost is made anew at sign-in. */
export const passwordCost = { memory: 19_456, passes: 2, parallelism: 1 };
