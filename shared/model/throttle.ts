/**
 * Requests per second to each route, and the burst, before API Gateway responds 429; a stage may set other values. The
 * account's own limit is 10,000 per second, 5,000 at once (AWS default). All projects share it, so it is far above the
 * limit of one project at a public route (`rates.projectDoor`).
 */
export const throttle = { rate: 5_000, burst: 5_000 };
export type Throttle = typeof throttle;
