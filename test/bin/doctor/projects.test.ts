import { beforeEach, describe, expect, test } from 'vitest';
import type { ProjectSummary } from '#shared/operator/summary.ts';
import {
  checkLinks,
  checkProjectSenders,
  checkProviderNames,
  checkRoundTrip,
  listProjects,
} from '../../../bin/doctor/projects.ts';
import { readStack } from '../../../bin/doctor/stack.ts';
import { startWorld } from '../../support/world.ts';
import { type Account, configOf, healthy, stackName, startAws } from './aws.ts';

let account: Account;
// The test world sets an AWS endpoint per service for itself; those take precedence over this one.
const world = await startWorld({});
await startAws(() => account);
const stack = () => readStack(stackName);
beforeEach(() => {
  account = healthy();
  account.operate = (request) => world.operate(request);
  if (account.stack) account.stack.outputs['BaseUrl'] = world.url;
});

const project = (set: object): ProjectSummary =>
  ({
    project_id: 'acme',
    invitation_base_url: 'https://acme.example/join',
    ...set,
  }) as ProjectSummary;

describe('checking the senders of the projects', () => {
  const projects = [project({ mail_sender: 'a@acme.example' }), project({ project_id: 'bare' })];

  test('accepts a sender of the project or of the deployment', () => {
    expect(checkProjectSenders(projects, configOf({ mailSender: 'no-reply@example.com' }))).toEqual(
      [],
    );
    expect(checkProjectSenders(projects.slice(0, 1), configOf())).toEqual([]);
  });

  test('reports projects without any sender', () => {
    expect(checkProjectSenders(projects, configOf())).toMatchObject([
      {
        status: 'wrong',
        text: expect.stringMatching(/mail sender for bare: their mails are rejected/),
      },
    ]);
  });
});

test('reports a provider name that stands for different issuers, with the projects', () => {
  const using = (project_id: string, issuer: string, more: object = {}) =>
    project({ project_id, sign_in_providers: { okta: { preset: 'oidc', issuer }, ...more } });
  const microsoft = (tenant: string) => ({ microsoft: { preset: 'microsoft', tenant } });
  const a = using('a', 'https://a.okta.example', microsoft('common'));
  const same = using('b', 'https://a.okta.example', microsoft('consumers'));
  expect(checkProviderNames([a, same, project({})])).toEqual([]);
  const found = checkProviderNames([a, same, using('c', 'https://c.okta.example')]);
  expect(found).toMatchObject([
    {
      status: 'wrong',
      check: 'provider okta',
      text: expect.stringMatching(
        /: https:\/\/a\.okta\.example in a, https:\/\/a\.okta\.example in b, https:\/\/c\.okta\.example in c\.$/,
      ),
    },
  ]);
});

describe('checking the links of a project', () => {
  const links = Object.fromEntries(
    ['sign_up', 'reset_password', 'verify_email', 'change_email', 'sign_in_link'].map((purpose) => [
      purpose,
      `https://acme.example/${purpose}`,
    ]),
  );
  const methods = { password_sign_in: true, code_sign_in: true, link_sign_in: true, sign_up: true };
  const check = async (set: object) => checkLinks(project(set), await stack());

  test('accepts links that are all set, or not needed', async () => {
    expect(await check({})).toMatchObject({ status: 'ok', check: 'links of acme' });
    expect(await check({ ...methods, mail_links: links })).toMatchObject({ status: 'ok' });
    const invitation_base_url = 'https://example.invalid/join';
    expect(await check({ ...methods, hosted_pages: true, invitation_base_url })).toMatchObject({
      status: 'ok',
    });
  });

  test.each([
    [{ invitation_base_url: 'https://example.invalid/join' }, ['invitations']],
    [{ code_sign_in: true }, ['verify_email', 'change_email']],
    [{ link_sign_in: true }, ['sign_in_link', 'verify_email', 'change_email']],
    [{ identity_providers: { google: {} } }, ['verify_email', 'change_email']],
    [{ ...methods, mail_links: { ...links, sign_up: undefined } }, ['sign_up']],
    [
      { password_sign_in: true, invitation_base_url: 'https://example.invalid/join' },
      ['invitations', 'reset_password', 'verify_email', 'change_email'],
    ],
  ])('reports missing links of the settings %o', async (set, nowhere) => {
    const { status, text, fix = [] } = await check(set);
    expect({ status, text }).toEqual({
      status: 'wrong',
      text: `Links of ${nowhere.join(', ')} have no target.`,
    });
    const command = fix.join('\n');
    expect(command).toContain(`project:update -- --project acme --stack ${stackName}`);
    for (const each of nowhere)
      expect(command).toContain(each === 'invitations' ? '--invitation-base-url' : `"${each}":`);
  });

  test.each([
    [true, "--invitation-base-url ''"],
    [false, '--invitation-base-url https://YOUR.SITE/join'],
  ])(
    'reports a # in the address of invitations, with hosted pages %s',
    async (hosted_pages, flag) => {
      const invitation_base_url = 'https://app.example.com/#/join';
      const { status, text, fix } = await check({ hosted_pages, invitation_base_url });
      expect([status, fix]).toEqual(['wrong', [expect.stringContaining(flag)]]);
      expect(text).toContain('what follows the # in their address');
    },
  );
});

describe('the round trip', () => {
  const project_id = 'doctor-of-deployment';
  const secrets = async () => {
    const listed = await world.operate({ action: 'list-secrets', project_id });
    return (listed as { secrets: { secret_id: string }[] }).secrets;
  };

  test('signs a user in and leaves neither user nor secret, also the second time', async () => {
    for (let i = 0; i < 2; i += 1) {
      expect(await checkRoundTrip(await stack())).toMatchObject({
        status: 'ok',
        text: `${world.url} signs a user in.`,
      });
      expect(await secrets()).toEqual([]);
    }
    const users = (await world.table.all()).filter(
      ({ pk, sk }) => sk === 'USER' && String(pk).startsWith('USER#'),
    );
    // Only the receipt of a deleted user is left.
    const left = users.filter((user) => user['project_id'] === project_id && !user['deleted_at']);
    expect(left).toEqual([]);
    const shown = await listProjects(await stack());
    expect(shown.map((each) => each.project_id)).not.toContain(project_id);
  });

  test('keeps the secret of a concurrent run', async () => {
    await world.operate({ action: 'create-secret', project_id });
    const before = await secrets();
    expect(await checkRoundTrip(await stack())).toMatchObject({ status: 'ok' });
    expect(await secrets()).toEqual(before);
  });

  test('reports which step failed, and revokes the secret', async () => {
    account.operate = async (request) => {
      const answer = (await world.operate(request)) as { secret?: string };
      return answer.secret ? { ...answer, secret: `${answer.secret}x` } : answer;
    };
    const before = await secrets();
    expect(await checkRoundTrip(await stack())).toMatchObject({
      status: 'wrong',
      text: expect.stringMatching(/^users\.create answers 401: /),
      fix: [
        `aws logs tail log-of-identity --since 10m --filter-pattern '{ $.operation = "users.create" }'`,
      ],
    });
    expect(await secrets()).toEqual(before);
  });

  test('revokes the secret if the service does not respond', async () => {
    if (account.stack) account.stack.outputs['BaseUrl'] = 'http://127.0.0.1:1';
    const before = await secrets();
    await expect(checkRoundTrip(await stack())).rejects.toThrow('ECONNREFUSED');
    expect(await secrets()).toEqual(before);
  });
});
