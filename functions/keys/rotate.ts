import type { CloudFormationCustomResourceEvent, SecretsManagerRotationEvent } from 'aws-lambda';
import { job } from '#shared/http/job.ts';
import { answerDeployment } from '#shared/operator/first-key.ts';
import {
  finishRotation,
  makePending,
  publishPending,
  testPending,
} from '#shared/operator/signing-keys.ts';

/**
 * Rotates the signing key in the four steps of Secrets Manager; each may be repeated. When CloudFormation invokes it in
 * a deployment, it creates the first key and reports success or failure.
 */
export const handler = job(
  'keys.rotate',
  { reserve: 2_000 },
  async (event: SecretsManagerRotationEvent | CloudFormationCustomResourceEvent, { lambda }) => {
    if ('RequestType' in event)
      return answerDeployment(event, () => lambda.getRemainingTimeInMillis());
    return steps[event.Step](event.SecretId, event.ClientRequestToken);
  },
);

const steps = {
  createSecret: makePending,
  setSecret: publishPending,
  testSecret: testPending,
  finishSecret: finishRotation,
};
