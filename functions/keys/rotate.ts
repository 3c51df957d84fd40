import type { Context, SecretsManagerRotationEvent } from 'aws-lambda';
import {
  finishRotation,
  makePending,
  publishPending,
  testPending,
} from '#shared/operator/signing-keys.ts';
import { inRequest } from '#shared/request.ts';

const reserve = 2_000;

/** Rotates the signing key in the four steps of Secrets Manager; each may be repeated. */
export async function handler(event: SecretsManagerRotationEvent, lambda: Context): Promise<void> {
  const { Step, SecretId, ClientRequestToken } = event;
  const steps = {
    createSecret: makePending,
    setSecret: publishPending,
    testSecret: testPending,
    finishSecret: finishRotation,
  };
  await inRequest(lambda.awsRequestId, lambda.getRemainingTimeInMillis() - reserve, () =>
    steps[Step](SecretId, ClientRequestToken),
  );
}
