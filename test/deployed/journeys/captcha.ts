import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { ApiError } from '../../../client/client.ts';
import { published } from '../../support/imported-hashes.ts';
import { stackName } from '../assembly.ts';
import { npmGiven } from '../cdk.ts';
import { command } from '../operator.ts';
import { backendOf, personOf, type World } from '../world.ts';

const [, password, password_hash] = published[0];

/** A project that requires a captcha, from its provider's key to a sign-in with a password. */
export async function captcha({ checks, url, anyone, receiver, siteverify }: World): Promise<void> {
  const email = 'hedy@example.com';
  const verify_url = receiver.leadTo(siteverify.url, '/siteverify');
  const setting = siteverify.setting({ verify_url });
  const asked = JSON.stringify(setting);

  const project_id = await checks.check('a project with a user is created', async () => {
    const made = await command<World['project']>(
      'project:create',
      ...['--project', 'guarded', '--name', 'Guarded', '--password-sign-in', 'true'],
    );
    await backendOf(url, made).users.import({
      users: [{ email, email_verified: true, password_hash }],
    });
    return made.project_id;
  });
  await checks.check('project:captcha-secret writes its key to Secrets Manager', async () => {
    const of = ['--project', project_id, '--stack', stackName];
    const given = (key: string) =>
      npmGiven(`${key}\n`, 'project:captcha-secret', ...of, '--captcha', asked);
    for (const each of ['another', siteverify.secret])
      equal(await given(each), `${JSON.stringify({ project_id, set: true })}\n`);
  });
  await checks.check('project:update requires a CAPTCHA for every sign-in', () =>
    command('project:update', '--project', project_id, '--captcha', asked),
  );
  const signIn = (captcha_token?: string) =>
    anyone.passwords.signIn({ project_id, email, password, captcha_token });
  await checks.check('a sign-in without a token gets the provider and the site key', async () => {
    const refused: unknown = await signIn().catch((error: unknown) => error);
    ok(refused instanceof ApiError);
    const { status, problem } = refused;
    deepEqual(
      [status, problem['code'], problem['provider'], problem['site_key']],
      [403, 'captcha_required', setting.provider, setting.site_key],
    );
    equal(siteverify.asked.length, 0);
  });
  const token = siteverify.solve();
  await checks.check('a sign-in with a token succeeds, once', async () => {
    const person = personOf({ url }, (await signIn(token)).body);
    equal((await person.client.users.getMe({})).body.email, email);
    await rejects(signIn(token), { status: 400, code: 'captcha_invalid' });
    const [fields] = siteverify.asked.map((each) => each.fields);
    ok(fields?.get('secret') === siteverify.secret && fields.get('response') === token);
  });
  await checks.check('an invented token, or one of another host, is refused', async () => {
    for (const bad of ['made-up', siteverify.solve({ hostname: 'evil.example.com' })])
      await rejects(signIn(bad), { status: 400, code: 'captcha_invalid' });
  });
}
