/**
 * Requests per second to each route, and the burst, before API Gateway responds 429; a stage may set other values. The
 * account's own limit is 10,000 per second, 5,000 at once (AWS default); in thirteen regions, which the runbook names,
 * it is 2,500 and 1,250, and a stage there should set half of that. All projects share a route, so its limit is far
 * above that of one project at a public route (`rates.projectDoor`).
 */
export const throttle = { rate: 5_000, burst: 5_000 };
export type Throttle = typeof throttle;
