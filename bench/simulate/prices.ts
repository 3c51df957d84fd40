/** List prices of us-east-1 in dollars: parameters of the tables of costs, not facts of this service. */

/** For a million. */
export const prices = {
  /** DynamoDB on demand: request units. */
  read: 0.125,
  write: 0.625,
  /** API Gateway HTTP API. */
  request: 1,
  /** Lambda on arm64. */
  invocation: 0.2,
  /** SQS FIFO: a message is sent, received and deleted. */
  queueCall: 0.5,
  /** EventBridge, custom events. */
  event: 1,
  trace: 5,
} as const;

/** For a GB-second of Lambda on arm64. */
export const gigabyteSecond = 0.0000133334;

/** For a GB of logs, and KB of log that a request writes (an estimate). */
export const logs = { gigabyte: 0.5, perRequest: 1.2 } as const;

/** For an idle month: docs/operate/costs.md. */
export const idle = 2.55;
