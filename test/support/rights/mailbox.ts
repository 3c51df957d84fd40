import { invoke } from '../../../local/aws/lambda.ts';
import { fromSource } from '../../../local/load.ts';
import type { World } from '../world.ts';

type AsBackEnd = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Uses every right on mailbox items: mails bounce, the backend vouches for addresses, a user is deleted. */
export async function useMailboxes(
  world: World,
  { project_id }: { project_id: string },
  asBackEnd: AsBackEnd,
): Promise<void> {
  const handler = await fromSource('mail.recordFeedback');
  const bounce = async (email: string) => {
    const mail = {
      timestamp: new Date().toISOString(),
      destination: [email],
      tags: { project_id: [project_id], mail_kind: ['sign_up'] },
    };
    const detail = { mail, bounce: { feedbackId: email, bounceType: 'Permanent' } };
    const name = 'mail.recordFeedback';
    await invoke(name, handler, { detail });
  };
  const vouched = (email: string) => ({ email, email_verified: true });
  const [one, two] = ['bounced1@example.com', 'bounced2@example.com'];
  for (const email of [one, two]) await bounce(email);
  const { uid } = (await asBackEnd('POST', '/users', vouched(one))) as { uid: string };
  await asBackEnd('PUT', `/users/${uid}`, vouched(two));
  await asBackEnd('DELETE', `/users/${uid}`);
  await world.drainStream();
}
