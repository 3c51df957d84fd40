/** Why a call to a webhook had no answer, and what is meant. */
export const callFailures = {
  timeout: 'No answer within 15 seconds.',
  name_not_resolved: 'The host name has no address.',
  address_forbidden: 'The URL, or an address behind its name, is not of the public internet.',
  tls_failed: 'The certificate is not valid for the name, or TLS failed otherwise.',
  connection_failed: 'Nobody listens, the connection broke, or what came was not HTTP.',
} as const;
export type CallFailure = keyof typeof callFailures;
