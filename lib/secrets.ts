import { Aws, CustomResource, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { CfnRotationSchedule, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type SecretName, secretVariables } from './grant.ts';

/** Kept when the stack is deleted, but not when its creation fails: the next deployment creates a new one. */
export const outlivesStack = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** The secrets that the stack creates. Operators set the secrets of identity providers. */
export type Secrets = { readonly [S in Exclude<SecretName, 'providers'>]: Secret };

export const makeSecrets = (scope: Construct): Secrets => ({
  // Its first value is random text that no function accepts as a key; the deployment replaces it. Like the table it
  // stays when the stack is deleted; without it every session in that table would end.
  signing: new Secret(scope, 'SigningSecret', {
    description: 'Signs access tokens and refresh tokens. Only the functions read it.',
    removalPolicy: outlivesStack,
  }),
  // It stays, like the mails in the table that are still in transit.
  mail: makeDerivingSecret(scope, 'MailSecret', {
    description: 'Derives the tokens and codes that mails carry. Only the functions read it.',
    reason:
      'Derived values live for at most a week, so an old secret loses its value soon; a rotation would only break mails in transit.',
  }),
  // It stays, like the webhooks in the table.
  webhook: makeDerivingSecret(scope, 'WebhookSecret', {
    description: 'Derives the secrets of webhooks. Only the functions read it.',
    reason:
      'Derived values are held by receivers, which change them one by one; a rotation would break every webhook at once.',
  }),
  // It stays, like the users in the table.
  factor: makeDerivingSecret(scope, 'FactorSecret', {
    description: 'Derives the secrets of authenticator apps. Only the functions read it.',
    reason:
      'Derived values are held by the phones of users; a rotation would lock out everybody with a second factor.',
  }),
  captcha: makeCaptchaSecret(scope),
  // It stays, like the tokens of identity providers in the table.
  providerToken: makeDerivingSecret(scope, 'ProviderTokenSecret', {
    description:
      'Encrypts the tokens of identity providers: a key in each line. Only the functions read it.',
    reason:
      'The operator rotates it by a new first line; the old one must stay until all tokens are encrypted anew.',
  }),
});

/** The variables by which functions find the secrets. */
export const secretIds = (secrets: Secrets) =>
  Object.fromEntries(
    Object.entries(secrets).map(([name, secret]) => [
      secretVariables[name as keyof Secrets],
      secret.secretArn,
    ]),
  ) as Record<(typeof secretVariables)[keyof Secrets], string>;

/**
 * The secret with the keys that projects have from their captcha providers, which the operator writes: a JSON object by
 * `captchaKeyName`. Its first value is random text, in which no project has a key.
 */
function makeCaptchaSecret(scope: Construct): Secret {
  const secret = new Secret(scope, 'CaptchaSecret', {
    description:
      'The secret keys of captchas: {"PROJECT SITE_KEY URL": "KEY"}. Only the functions read it.',
    removalPolicy: outlivesStack,
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'The keys are made by the captcha providers, so only the operator can change them.',
  });
  return secret;
}

/** A secret of random text that never changes; it stays when the stack is deleted. */
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
 * Creates the first signing key, which a deployment requires, and rotates the secret every 30 days. CloudFormation does
 * not wait for a rotation (`RotateImmediatelyOnUpdate` only starts one), so the rotation's function creates the first
 * key as a custom resource, whose failure fails the deployment. Does not use `addRotationSchedule`, which would allow
 * the function more than its grant.
 */
export class KeyRotation extends Construct {
  constructor(scope: Construct, id: string, props: { secret: Secret; rotate: Lambda }) {
    super(scope, id);
    const permission = {
      principal: new ServicePrincipal('secretsmanager.amazonaws.com'),
      // Without it, Secrets Manager could be made to call this function on behalf of another account.
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
