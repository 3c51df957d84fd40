import { describe, expect, test } from 'vitest';
import { functionNames, grants } from '../../lib/functions.ts';
import {
  arn,
  idLike,
  idOf,
  ownAddress,
  production,
  type Resource,
  synthesise,
  xpub,
} from './synthesise.ts';

const dev = synthesise({ walletXpub: xpub });
const table = idOf(dev, 'AWS::DynamoDB::GlobalTable');
const secret = idLike(dev, /^SigningSecret/);
const mailSecret = idLike(dev, /^MailSecret/);
const webhookSecret = idLike(dev, /^WebhookSecret/);
const factorSecret = idLike(dev, /^FactorSecret/);
const providerTokenSecret = idLike(dev, /^ProviderTokenSecret/);
const captchaSecret = idLike(dev, /^CaptchaSecret/);
const bus = idOf(dev, 'AWS::Events::EventBus');

describe('the signing secret', () => {
  test('is rotated every 30 days, and once after its function may be called', () => {
    const [rotation] = dev.ofType('AWS::SecretsManager::RotationSchedule');
    expect(rotation?.Properties).toStrictEqual({
      SecretId: { Ref: secret },
      RotationLambdaARN: arn(dev.functionId('keys.rotate')),
      RotationRules: { AutomaticallyAfterDays: 30 },
      RotateImmediatelyOnUpdate: true,
    });
    const before = rotation?.DependsOn?.map((id) => dev.resources[id]);
    const permission = before?.find((resource) => resource?.Type === 'AWS::Lambda::Permission');
    expect(permission?.Properties).toMatchObject({
      Principal: 'secretsmanager.amazonaws.com',
      SourceAccount: { Ref: 'AWS::AccountId' },
    });
  });

  test('has its first key before the deployment succeeds', () => {
    const id = idOf(dev, 'Custom::FirstKey');
    const { Properties } = dev.resources[id] as Resource;
    expect(Properties).toStrictEqual({
      ServiceToken: arn(dev.functionId('keys.rotate')),
      // CloudFormation would wait an hour for a crashed function.
      ServiceTimeout: '300',
      SecretId: { Ref: secret },
    });
    const [rotation] = dev.ofType('AWS::SecretsManager::RotationSchedule');
    expect(rotation?.DependsOn).toContain(id);
  });

  test('appears in no output and no variable, which have only names and ARNs', () => {
    expect(dev.outputs).toMatchObject({
      BaseUrl: { Value: ownAddress(dev) },
      TableName: { Value: { Ref: table } },
      EventBusName: { Value: { Ref: bus } },
      OperatorFunctionName: { Value: { Ref: expect.stringMatching(/^projectsadmin/) } },
      CaptchaSecretArn: { Value: { Ref: expect.stringMatching(/^CaptchaSecret/) } },
    });
    expect(Object.keys(dev.outputs)).toHaveLength(5);
    expect(JSON.stringify(dev.template)).not.toContain('resolve:secretsmanager');
  });
});

describe.each([
  ['mails', mailSecret],
  ['webhooks', webhookSecret],
  ['second factors', factorSecret],
  ['provider tokens', providerTokenSecret],
])('the secret for the %s', (_, id) => {
  test('is 64 random characters, without rotation', () => {
    const { Properties } = dev.resources[id] as Resource;
    expect(Properties).toMatchObject({
      GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
    });
    expect(Properties).not.toHaveProperty('SecretString');
    const rotated = dev
      .ofType('AWS::SecretsManager::RotationSchedule')
      .map((schedule) => schedule.Properties['SecretId'].Ref);
    expect(rotated).toStrictEqual([secret]);
  });
});

describe('the secret for the mails', () => {
  test('is available to mail.send, which alone may send mail and knows the sender', () => {
    const { Variables } = synthesise(production).functionOf('mail.send').Properties['Environment'];
    expect(Variables).toMatchObject({
      MAIL_SECRET_ID: { Ref: mailSecret },
      MAIL_SENDER: 'no-reply@example.com',
    });
    expect(grants['mail.send']).toMatchObject({
      secrets: { mail: 'read' },
      sendMail: true,
      takes: 'mails',
    });
    expect(grants['mail.send'].secrets?.signing).toBeUndefined();
    expect(functionNames.filter((name) => grants[name].sendMail)).toStrictEqual(['mail.send']);
  });
});

describe('the secret for the webhooks', () => {
  test('is available to the functions that return it or sign with it, which have no other secret', () => {
    const reading = functionNames.filter((name) => grants[name].secrets?.webhook);
    expect(reading).toStrictEqual(['webhooks.create', 'webhooks.rotateSecret', 'webhooks.deliver']);
    for (const name of functionNames.filter((each) => each.startsWith('webhooks.'))) {
      expect(grants[name].secrets?.mail).toBeUndefined();
      expect(grants[name].secrets?.signing).toBeUndefined();
    }
    const { Variables } = dev.functionOf('webhooks.deliver').Properties['Environment'];
    expect(Variables).toMatchObject({ WEBHOOK_SECRET_ID: { Ref: webhookSecret } });
  });
});

describe('the secret for the second factors', () => {
  test('is available to the functions for factors and codes, three of which can sign tokens', () => {
    const reading = functionNames.filter((name) => grants[name].secrets?.factor);
    expect(reading).toStrictEqual([
      'sessions.reauthenticate',
      'factors.startTotp',
      'factors.confirmTotp',
      'factors.deleteTotp',
      'factors.renewRecoveryCodes',
      'factors.signIn',
      'factors.startEnrolment',
      'factors.confirmEnrolment',
    ]);
    for (const name of reading) expect(grants[name].secrets?.mail).toBeUndefined();
    const signing = reading.filter((name) => grants[name].secrets?.signing);
    expect(signing).toStrictEqual([
      'sessions.reauthenticate',
      'factors.signIn',
      'factors.confirmEnrolment',
    ]);
    const { Variables } = dev.functionOf('factors.signIn').Properties['Environment'];
    expect(Variables).toMatchObject({ FACTOR_SECRET_ID: { Ref: factorSecret } });
  });
});

describe('the secret for the provider tokens', () => {
  test('is available to the functions that store or return them, none of which can sign tokens', () => {
    const reading = functionNames.filter((name) => grants[name].secrets?.providerToken);
    expect(reading).toStrictEqual([
      'identities.getToken',
      'identities.getTokenOfUser',
      'providers.callback',
      'providers.callbackByForm',
    ]);
    for (const name of reading) expect(grants[name].secrets?.signing).toBeUndefined();
    const { Variables } = dev.functionOf('identities.getToken').Properties['Environment'];
    expect(Variables).toMatchObject({ PROVIDER_TOKEN_SECRET_ID: { Ref: providerTokenSecret } });
  });
});

describe('the secret for the CAPTCHAs', () => {
  test('is available to the functions that check a password, sign a user up or send a mail to a stranger', () => {
    const reading = functionNames.filter((name) => grants[name].secrets?.captcha);
    expect(reading).toStrictEqual([
      'passwords.signUp',
      'passwords.signIn',
      'passwords.forgot',
      'codes.start',
      'links.start',
    ]);
    const { Variables } = dev.functionOf('passwords.signIn').Properties['Environment'];
    expect(Variables).toMatchObject({ CAPTCHA_SECRET_ID: { Ref: captchaSecret } });
  });

  test('starts as random text, and is retained', () => {
    const { Properties, DeletionPolicy } = dev.resources[captchaSecret] as Resource;
    expect(Properties).not.toHaveProperty('SecretString');
    expect(DeletionPolicy).not.toBe('Delete');
  });
});
