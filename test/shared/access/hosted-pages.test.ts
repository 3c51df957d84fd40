import { describe, expect, test } from 'vitest';
import { goodPassword, type Started, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const site = 'https://acme.example';
const links = {
  sign_up: `${site}/up`,
  reset_password: `${site}/reset`,
  verify_email: `${site}/verify`,
  change_email: `${site}/change`,
};

/** The links of one person's mails, of an invitation, of a join link and of its workspace; tokens as `TOKEN`. */
async function linksOf(settings: object, pages_domain?: string) {
  const at = await signInProject(world, settings);
  if (pages_domain !== undefined)
    await world.operate({ action: 'update', project_id: at.project_id, pages_domain });
  const { project, project_id, post } = at;
  const shown = (text = '') =>
    (/https?:\/\/\S+/.exec(text)?.[0] ?? '')
      .replace(/#(token|join)=[\w.-]{43,}$/, '#$1=TOKEN')
      .replaceAll(project_id, 'PROJECT')
      .replace(/wid-[\w-]{36}/, 'WORKSPACE');
  const mailed = async (email: string) => shown((await at.mailTo(email))?.text);
  const [email, moved] = ['ada@example.com', 'lovelace@example.com'];
  await post('/sign-up', { email });
  const sign_up = await mailed(email);
  const proof = { password: goodPassword, token: await at.mailed(email) };
  const ada = await post<Started>('/passwords', proof);
  const { uid: owner_id, bearer } = at.person(ada.body);
  await post('/passwords/forgotten', { email });
  const reset_password = await mailed(email);
  const asAda = (path: string, body?: object) => world.call('POST', path, bearer, body);
  await asAda('/users/me/email/verification');
  const verify_email = await mailed(email);
  await asAda('/users/me/email', { email: moved, current_password: goodPassword });
  const change_email = await mailed(moved);
  const workspace = (await world.as(project).workspaces.create({ name: 'A', owner_id })).body;
  const { workspace_id, invitation_url } = workspace;
  const to = `/workspaces/${workspace_id}`;
  const grace = 'grace@example.com';
  const invited = await asAda(`${to}/invitations`, { email: grace, role: 'member' });
  const joining = await asAda(`${to}/join_links`, {});
  return {
    ...{ sign_up, reset_password, verify_email, change_email },
    invitation_url: shown(invitation_url),
    invitation: shown(invited.body.link),
    mailed_invitation: await mailed(grace),
    join_link: shown(joining.body.url),
  };
}

const query = 'project_id=PROJECT&workspace_id=WORKSPACE';
const joiningAt = (invitation: string, join = invitation) => ({
  invitation_url: `${invitation}?${query}`,
  invitation: `${invitation}?${query}#token=TOKEN`,
  mailed_invitation: `${invitation}?${query}#token=TOKEN`,
  join_link: `${join}?${query}#join=TOKEN`,
});
const mailsTo = (pages: typeof links) => ({
  sign_up: `${pages.sign_up}?project_id=PROJECT#token=TOKEN`,
  reset_password: `${pages.reset_password}?project_id=PROJECT#token=TOKEN`,
  verify_email: `${pages.verify_email}#token=TOKEN`,
  change_email: `${pages.change_email}#token=TOKEN`,
});

describe('links lead', () => {
  const nowhere = 'https://example.invalid';
  const unset = {
    ...mailsTo({
      sign_up: `${nowhere}/sign_up`,
      reset_password: `${nowhere}/reset_password`,
      verify_email: `${nowhere}/verify_email`,
      change_email: `${nowhere}/change_email`,
    }),
    ...joiningAt(`${nowhere}/join`),
  };

  test.each([{}, { hosted_pages: false }])(
    'to an invalid address until they are set: %j',
    async (settings) => {
      expect(await linksOf(settings)).toEqual(unset);
    },
  );

  test('to the pages of the service, if they are on', async () => {
    const pages = `${world.url}/pages/PROJECT`;
    expect(await linksOf({ hosted_pages: true })).toEqual(hostedAt(pages));
  });

  test("to the pages at the project's own domain, and to an invalid address if the pages are off", async () => {
    const pages = `http://auth.acme.localhost:${new URL(world.url).port}/pages/PROJECT`;
    expect(await linksOf({ hosted_pages: true }, 'auth.acme.localhost')).toEqual(hostedAt(pages));
    expect(await linksOf({}, 'auth2.acme.localhost')).toEqual(unset);
  });

  const hostedAt = (pages: string) => ({
    ...mailsTo({
      sign_up: `${pages}/new-password`,
      reset_password: `${pages}/new-password`,
      verify_email: `${pages}/verify-email`,
      change_email: `${pages}/change-email`,
    }),
    ...joiningAt(`${pages}/invitation`, `${pages}/join`),
  });

  test.each([true, false])(
    "to the project's own pages, if they are set, with hosted_pages %j",
    async (hosted_pages) => {
      const invitation_base_url = `${site}/join`;
      const settings = { hosted_pages, mail_links: links, invitation_base_url };
      expect(await linksOf(settings)).toEqual({
        ...mailsTo(links),
        ...joiningAt(invitation_base_url),
      });
    },
  );

  test('to their own page each, if only some are set', async () => {
    const mail_links = { verify_email: links.verify_email };
    const pages = `${world.url}/pages/PROJECT`;
    expect(await linksOf({ hosted_pages: true, mail_links })).toMatchObject({
      verify_email: `${links.verify_email}#token=TOKEN`,
      change_email: `${pages}/change-email#token=TOKEN`,
      ...joiningAt(`${pages}/invitation`, `${pages}/join`),
    });
  });
});
