import { Aws, CustomResource, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { CfnRotationSchedule, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/** It outlives the stack, but not the creation that failed: the next deployment makes another. */
export const outlivesStack = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** The secrets of a deployment. */
export type Secrets = { signing: Secret; mail: Secret; webhook: Secret };

export const makeSecrets = (scope: Construct): Secrets => ({
  signing: makeSigningSecret(scope),
  mail: makeMailSecret(scope),
  webhook: makeWebhookSecret(scope),
});

/**
 * The secret with the signing keys. Its first value is random text that no function takes for a key; the deployment
 * replaces it. It stays when the stack goes, like the table: without it every session of that table would end.
 */
function makeSigningSecret(scope: Construct): Secret {
  return new Secret(scope, 'SigningSecret', {
    description: 'Signs access tokens and refresh tokens. Only the functions read it.',
    removalPolicy: outlivesStack,
  });
}

/** The secret of which the tokens and codes in mails are derived. It stays, with the mails of its table that are under way. */
const makeMailSecret = (scope: Construct): Secret =>
  makeDerivingSecret(scope, 'MailSecret', {
    description: 'Derives the tokens and codes that mails carry. Only the functions read it.',
    reason:
      'What it derives lives for a week at most, so an old one is worth nothing for long; a rotation would only break the mails under way.',
  });

/** The secret of which the secrets of webhooks are derived. It stays, with the webhooks of its table. */
const makeWebhookSecret = (scope: Construct): Secret =>
  makeDerivingSecret(scope, 'WebhookSecret', {
    description: 'Derives the secrets of webhooks. Only the functions read it.',
    reason:
      'What it derives is in the hands of receivers, who change it one by one; a rotation would break every webhook at once.',
  });

/** Random text, for as long as it lives; it stays when the stack goes. */
function makeDerivingSecret(
  scope: Construct,
  id: string,
  { description, reason }: { description: string; reason: string },
): Secret {
  const secret = new Secret(scope, id, {
    description,
    // 64 letters and digits: 381 bits.
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    removalPolicy: outlivesStack,
  });
  Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason });
  return secret;
}

/**
 * Makes the first signing key, without which no deployment succeeds, and rotates the secret every 30 days. A rotation goes
 * on after CloudFormation has gone on (`RotateImmediatelyOnUpdate` starts one and does not wait), so the first key is not
 * left to it: the rotation's function makes it as a custom resource, whose failure is the deployment's.
 * Written without `addRotationSchedule`, which would allow the function more than its grant does.
 */
export class KeyRotation extends Construct {
  constructor(scope: Construct, id: string, props: { secret: Secret; rotate: Lambda }) {
    super(scope, id);
    const permission = {
      principal: new ServicePrincipal('secretsmanager.amazonaws.com'),
      // Without it, Secrets Manager could be made to call this function for another account.
      sourceAccount: Aws.ACCOUNT_ID,
    };
    props.rotate.addPermission('Rotation', { ...permission, scope: this });
    const schedule = new CfnRotationSchedule(this, 'Schedule', {
      secretId: props.secret.secretArn,
      rotationLambdaArn: props.rotate.functionArn,
      rotationRules: { automaticallyAfterDays: 30 },
      rotateImmediatelyOnUpdate: true,
    });
    const firstKey = new CustomResource(this, 'FirstKey', {
      resourceType: 'Custom::FirstKey',
      serviceToken: props.rotate.functionArn,
      serviceTimeout: Duration.minutes(5),
      properties: { SecretId: props.secret.secretArn },
    });
    schedule.node.addDependency(this.node.findChild('Rotation'), firstKey);
  }
}
