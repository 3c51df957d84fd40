import { getProject } from '#shared/access/projects.ts';
import { job } from '#shared/http/job.ts';
import { getUidByEmail } from '#shared/identity/users/users.ts';
import { type Returned, readFeedback } from '#shared/mail/feedback.ts';
import { recordFeedback } from '#shared/mail/mailboxes.ts';

/**
 * Records a bounce or complaint on its address. Lambda retries a failed invocation twice, then it becomes a dead
 * letter. Repeated feedback changes nothing.
 */
export const handler = job('mail.recordFeedback', { reserve: 2_000 }, async (event: unknown) => {
  const returned = readFeedback(event);
  if (returned) await record(returned);
});

async function record(returned: Returned): Promise<void> {
  const { project_id, email, mail_kind, id, sent_at } = returned;
  const [project, user_id] = await Promise.all([
    getProject(project_id),
    getUidByEmail(project_id, email),
  ]);
  if (!project) return;
  const about = { email, user_id, mail_kind };
  const of = { project_id, email, id, sent_at };
  if (returned.type === 'complained') {
    const event = { type: 'email.complained', data: about } as const;
    return recordFeedback({ ...of, event, stops: 'complained' });
  }
  const { bounce_type } = returned;
  const event = { type: 'email.bounced', data: { ...about, bounce_type } } as const;
  return recordFeedback({
    ...of,
    event,
    stops: bounce_type === 'permanent' ? 'bounced' : undefined,
  });
}
