import type { KeyObject } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import { mailLinkUrl } from '#shared/access/hosted-pages.ts';
import { getProject, type LinkPurpose, type Project } from '#shared/access/projects.ts';
import { runInRequest } from '#shared/db/request-context.ts';
import { takeMessages } from '#shared/events/queue-take.ts';
import { insertedMail } from '#shared/events/table-changes.ts';
import { type Job, job } from '#shared/http/job.ts';
import { linkLifetimes } from '#shared/identity/sign-in/email-challenges.ts';
import { worthFor } from '#shared/identity/sign-in/mail-worth.ts';
import { findUser, getUidByEmail } from '#shared/identity/users/users.ts';
import { isLost, reportLost } from '#shared/mail/lost.ts';
import { getMailKey, mailedCode, mailedToken } from '#shared/mail/mail-secret.ts';
import { isStopped } from '#shared/mail/mailboxes.ts';
import { claimMail, type MailItem, recordOutcome, releaseMail } from '#shared/mail/mails.ts';
import { notComposed, ofUnknownKind, type Unsent } from '#shared/mail/not-sent.ts';
import { mayBeSent, uncountMail } from '#shared/mail/notice-limit.ts';
import { renderMail } from '#shared/mail/render.ts';
import { type Envelope, mailbox, type Sending, sendMail } from '#shared/mail/ses.ts';
import type { MailContent } from '#shared/mail/templates.ts';
import { env } from '#shared/model/env.ts';
import { languageNamed } from '#shared/model/languages.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { readInvitationLetter } from '#shared/workspaces/invitations/invitation-mail.ts';
import { readSecondFactorLetter } from '#shared/workspaces/second-factor-mail.ts';

/** Milliseconds after the deadline in which an outcome may still be recorded: a part of what the job reserves. */
const recordingTime = 3_000;

/** Sends the mails of the queue. A message is received again if one of its mails failed for a temporary reason. */
export const handler = job('mail.send', { reserve: 5_000 }, (event: SQSEvent, ours) =>
  takeMessages(env.mailsQueueUrl(), event, async (messages) => {
    const mails = messages.flat().flatMap((record) => insertedMail(record) ?? []);
    // Mails that were sent are not sent again.
    const done = await Promise.all(mails.map((mail) => isDone(mail, ours)));
    if (done.includes('lost')) reportLost(ours.request.now);
    return done.every(Boolean) ? messages.length : 0;
  }),
);

type Note = (cause: unknown) => void;
type Done = boolean | 'lost';
async function isDone(mail: MailItem, { request, logError }: Job): Promise<Done> {
  const { mail_id, project_id } = mail;
  const note: Note = (cause) => logError(cause, { mail_id, project_id });
  try {
    return await send(mail, request, note);
  } catch (cause) {
    note(cause);
    return false;
  }
}

/** Returns false while another sender may be sending the mail. */
async function send(mail: MailItem, request: Job['request'], note: Note): Promise<Done> {
  const { mail_id } = mail;
  // All steps that may fail temporarily come before the mail is claimed, so that it can be retried.
  const composed = await compose(mail, request.now).catch((error: unknown) =>
    notComposed(mail, error, request.now),
  );
  const claimed = await claimMail(mail_id, request.now);
  if (typeof claimed === 'string') return claimed === 'ended';
  const sending = 'outcome' in composed ? composed : await sendCounted(mail, composed, request);
  if (sending.outcome === 'busy') {
    await releaseMail(mail_id);
    throw sending.cause;
  }
  const { cause, ...result } = sending;
  if (cause) note(cause);
  // In time of its own, and without a retry of the mail: one that has no outcome is sent again.
  await runInRequest(request.id, recordingTime, () => recordOutcome(mail_id, result)).catch(note);
  return isLost(cause) ? 'lost' : true;
}

/**
 * Sends a mail unless it is a notice whose user has had enough of its kind today. One that is not accepted yet, or
 * cannot be counted, is `busy` and counts for nothing.
 */
async function sendCounted(
  mail: MailItem,
  composed: Envelope,
  { now, signal }: Job['request'],
): Promise<Sending | Unsent> {
  try {
    if (!(await mayBeSent(mail, now))) return { outcome: 'limited' };
  } catch (cause) {
    return { outcome: 'busy', cause };
  }
  const sending = await sendMail(composed, signal);
  // If that fails, one too many stays counted.
  if (sending.outcome === 'busy') await uncountMail(mail, now).catch(() => {});
  return sending;
}

/** The mail to send, or the reason not to send it. */
async function compose(mail: MailItem, now: Date): Promise<Envelope | Unsent> {
  if (worthFor(mail.kind) * 1_000 < now.getTime() - Date.parse(mail.created_at))
    return { outcome: 'expired' };
  const [project, key, recipient, ofWorkspace, stopped] = await Promise.all([
    getProject(mail.project_id),
    getMailKey(),
    readRecipient(mail),
    readWorkspaceLetter(mail, now),
    isStopped(mail.project_id, mail.to),
  ]);
  if (!project) return { outcome: 'unneeded' };
  const letter =
    ofWorkspace?.(project, productOf(project), key) ?? letterFor(mail, project, key, recipient);
  if (!letter) return { outcome: 'unneeded' };
  if (letter === 'of_later_release') return ofUnknownKind(mail, now);
  if (stopped) return { outcome: 'suppressed' };
  const sender = project.mail_sender ?? env.mailSender();
  if (sender === '')
    return {
      outcome: 'rejected',
      cause: new Error('No sender is configured: set "mailSender" in the file of the stage.'),
    };
  const from = mailbox(productOf(project), sender);
  // SES returns these tags with bounces and complaints.
  const tags = { project_id: mail.project_id, mail_kind: mail.kind };
  const configuration_set = env.mailConfigurationSet();
  const language = languageNamed(mail.language ?? project.mail_language);
  return { ...(await renderMail(letter, language)), from, to: mail.to, configuration_set, tags };
}

/** The mails whose content, or sending, depends on whether there is an account. */
const byAccount: ReadonlySet<MailItem['kind']> = new Set([
  'sign_up',
  'reset_password',
  'sign_in_code',
  'sign_in_link',
  'password_locked',
]);

/** The user with this e-mail. No client waits for this lookup, so its time reveals nothing. */
async function readRecipient({ kind, project_id, to }: MailItem) {
  if (!byAccount.has(kind)) return undefined;
  const uid = await getUidByEmail(project_id, to);
  return uid === undefined ? undefined : findUser(uid);
}

/** What a mail about a workspace says, if it is one, and still needed. */
async function readWorkspaceLetter(mail: MailItem, now: Date) {
  if (mail.kind === 'workspace_invitation') return readInvitationLetter(mail, now);
  return mail.kind === 'second_factor_required' ? readSecondFactorLetter(mail) : undefined;
}

function letterFor(
  mail: MailItem,
  project: Project,
  key: KeyObject,
  recipient: Awaited<ReturnType<typeof findUser>>,
): MailContent | 'of_later_release' | undefined {
  const product = productOf(project);
  const withLink = (template: LinkLetter['template'], purpose: LinkPurpose): MailContent => ({
    template,
    product,
    link: linkOf(project, purpose, mail.mail_id, key),
    // A token is valid no longer than the purpose of its mail allows, nor than that of the page it links to.
    minutes: Math.min(linkLifetimes[mail.kind as LinkPurpose], linkLifetimes[purpose]) / 60,
  });
  switch (mail.kind) {
    case 'workspace_invitation':
    case 'second_factor_required':
      // It was not needed any more.
      return undefined;
    case 'sign_up':
      // A user that a backend created and who never signed in gets the mail that completes the sign-up.
      return recipient?.last_sign_in_at
        ? withLink('account_exists', 'reset_password')
        : withLink('sign_up', 'sign_up');
    case 'reset_password':
      return recipient && withLink('reset_password', 'reset_password');
    case 'sign_in_code':
      return recipient || project.sign_up
        ? {
            template: 'sign_in_code',
            product,
            code: mailedCode(mail.mail_id, key),
            minutes: lifetimes.signInCode / 60,
          }
        : undefined;
    case 'sign_in_link':
      return recipient || project.sign_up ? withLink('sign_in_link', 'sign_in_link') : undefined;
    case 'verify_email':
    case 'change_email':
      return withLink(mail.kind, mail.kind);
    case 'email_changed':
      return { template: 'email_changed', product, new_email: mail.new_email ?? '' };
    case 'identity_linked':
    case 'identity_unlinked':
      return { template: mail.kind, product, provider: mail.provider ?? '' };
    case 'passkey_added':
    case 'passkey_removed':
      return { template: mail.kind, product, passkey: mail.passkey ?? '' };
    case 'new_device': {
      const { user_agent = '', address: network = '', created_at } = mail;
      // Where there are no passwords, no new one helps.
      const template = project.password_sign_in ? mail.kind : 'new_device_without_password';
      return { template, product, user_agent, network, at: new Date(created_at) };
    }
    case 'impersonated': {
      const { reason = '', created_at } = mail;
      return { template: 'impersonated', product, reason, at: new Date(created_at) };
    }
    case 'factor_removed':
      return {
        template: project.mfa === 'required' ? 'required_factor_removed' : mail.kind,
        product,
      };
    case 'password_changed':
    case 'factor_added':
    case 'recovery_codes_renewed':
    case 'recovery_code_used':
    case 'factor_locked':
    case 'recovery_code_required':
      return { template: mail.kind, product };
    case 'password_locked':
      // A user without a password was not locked out, and an e-mail that is not verified may be a stranger's.
      return recipient?.verified.email && recipient.sign_in_methods?.['idpw']?.enabled
        ? { template: 'password_locked', product }
        : undefined;
    default:
      mail.kind satisfies never;
      return 'of_later_release';
  }
}

/** The name of the project in its mails. */
const productOf = ({ mail_sender_name, name }: Project): string => mail_sender_name ?? name;

type LinkLetter = Exclude<Extract<MailContent, { link: string }>, { workspace: string }>;

/** Pages whose visitor is not signed in: their request must contain the project id. */
const beforeSignIn: ReadonlySet<LinkPurpose> = new Set([
  'sign_up',
  'reset_password',
  'sign_in_link',
]);

/** The token is in the fragment, so it never reaches a server, a log or a Referer header. */
function linkOf(project: Project, purpose: LinkPurpose, mail_id: string, key: KeyObject): string {
  const url = new URL(mailLinkUrl(project, purpose));
  if (beforeSignIn.has(purpose)) url.searchParams.set('project_id', project.project_id);
  const token = mailedToken(mail_id, key);
  // By its id the page finds the verifier, if its browser asked for the link.
  url.hash = purpose === 'sign_in_link' ? `token=${token}&link_id=${mail_id}` : `token=${token}`;
  return url.href;
}
