import type {
  CloudFormationCustomResourceEvent,
  Context,
  SecretsManagerRotationEvent,
} from 'aws-lambda';
import { answerDeployment } from '#shared/operator/first-key.ts';
import {
  finishRotation,
  makePending,
  publishPending,
  testPending,
} from '#shared/operator/signing-keys.ts';
import { inRequest } from '#shared/request.ts';

const reserve = 2_000;

/**
 * Rotates the signing key in the four steps of Secrets Manager; each may be repeated. Called by a deployment instead, it
 * makes the first key and tells CloudFormation whether it could.
 */
export async function handler(
  event: SecretsManagerRotationEvent | CloudFormationCustomResourceEvent,
  lambda: Context,
): Promise<void> {
  if ('RequestType' in event)
    return answerDeployment(event, () => lambda.getRemainingTimeInMillis());
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
