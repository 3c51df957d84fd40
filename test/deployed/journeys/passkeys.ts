import { equal, rejects } from 'node:assert/strict';
import { newAuthenticator } from '../../support/authenticator.ts';
import { newPerson, personOf, type World } from '../world.ts';

/** Passkeys, from the first to the last, in a browser at the service's own host. */
export async function passkeys(world: World, baseUrl: string): Promise<void> {
  const { checks, anyone, project } = world;
  const { project_id } = project;
  const ida = await newPerson(world, 'ida@example.com');
  const authenticator = newAuthenticator(new URL(baseUrl).origin);
  const assertion = async () => {
    const { body } = await anyone.passkeys.startSignIn({ project_id });
    return authenticator.get(body.publicKey);
  };

  const passkey_id = await checks.check('a passkey is added and renamed', async () => {
    const { body } = await ida.client.passkeys.startRegistration({});
    const credential = authenticator.create(body.publicKey);
    const { body: made } = await ida.client.passkeys.register({ credential, name: 'Phone' });
    await ida.client.passkeys.rename({ passkey_id: made.passkey_id, name: 'Key' });
    return made.passkey_id;
  });
  await checks.check(
    'the passkey signs in without an e-mail, once for each challenge',
    async () => {
      const credential = await assertion();
      const { body } = await anyone.passkeys.signIn({ project_id, credential });
      equal(body.uid, ida.uid);
      await rejects(anyone.passkeys.signIn({ project_id, credential }), { status: 401 });
      const list = await personOf(world, body).client.passkeys.list();
      equal(list.body.result[0]?.name, 'Key');
    },
  );
  await checks.check('a deleted passkey signs no user in', async () => {
    await ida.client.passkeys.delete({ passkey_id });
    const credential = await assertion();
    await rejects(anyone.passkeys.signIn({ project_id, credential }), { status: 401 });
  });
}
