/**
 * Replaces `@aws-sdk/credential-provider-node` in every bundle (lib/bundle.ts).
 *
 * Lambda provides the role's credentials in these three variables and replaces the environment before they expire, so
 * the rest of the SDK's chain (files, SSO, web identity, instance metadata) is never needed there. The SDK caches the
 * result; without an expiry it never refreshes it, which is correct for the same reason.
 */
export const defaultProvider = () => async () => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (!accessKeyId || !secretAccessKey)
    throw new Error('The environment has no AWS credentials: AWS_ACCESS_KEY_ID is not set.');
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
};
