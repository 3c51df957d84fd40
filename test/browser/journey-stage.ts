import { basic, createClient } from '../../client/client.ts';
import { Mailbox } from '../deployed/mailbox.ts';
import { goodPassword } from '../support/sign-in.ts';
import { type DeployedStage, fromEnvironment } from './deployed-stage.ts';
import { hostedActions, startHostedStage } from './hosted-stage.ts';

/** The service under test: a local one, or the deployed one. */
export async function startJourneyStage(settings: object) {
  const deployed = fromEnvironment();
  return deployed ? stageAt(deployed) : startHostedStage(settings);
}

async function stageAt({ url, door, project, emulator }: DeployedStage) {
  const { project_id, secret } = project;
  const mailbox = new Mailbox(emulator);
  await mailbox.skip();
  const anyone = createClient(door);
  const backend = createClient(door, { authorization: basic(project_id, secret) });
  return hostedActions<string>({
    ...{ url, project_id, linkTo: mailbox.nextLink, codeTo: mailbox.nextCode },
    async signUp(email) {
      await anyone.passwords.signUp({ project_id, email });
      const token = await mailbox.nextToken(email);
      const { body } = await anyone.passwords.set({ project_id, token, password: goodPassword });
      return body.user.uid;
    },
    workspace: async (owner_id, name) => (await backend.workspaces.create({ name, owner_id })).body,
  });
}
