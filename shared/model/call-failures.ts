/** Reasons why an attempt to call a webhook got no response, with their descriptions. */
export const callFailures = {
  timeout: 'No response within 15 seconds.',
  name_not_resolved: 'The host name does not resolve to an address.',
  address_forbidden: 'The URL, or an address of its host name, is not on the public internet.',
  tls_failed: 'The certificate is not valid for the host name, or TLS failed for another reason.',
  connection_failed: 'The connection was refused or interrupted, or the response was not HTTP.',
  receiver_failing:
    'Not called: every call for more than a minute had failed, and another event of the type was sent within the last minute.',
} as const;
export type CallFailure = keyof typeof callFailures;
