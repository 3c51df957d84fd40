import { useState } from 'preact/hooks';
import type { InvitationResults } from '../../../client/generated/api.ts';
import { withDnsDomain } from '../../dns-domain.ts';
import { FieldError, isCode } from '../../failures.ts';
import { api } from '../../session.ts';
import { count, type Key, t } from '../../texts.ts';
import { Choice, Field, Form, TextField } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';
import type { Part } from './part.ts';
import { rolesToGive } from './roles.ts';

type Row = InvitationResults['results'][number];

/** Rows of one request: few enough that the progress moves, and far below the service's 500. */
const rowsAtOnce = 50;

export function Invite(part: Part) {
  return (
    <Section title={t('invite')}>
      <InviteOne {...part} />
      <details>
        <summary>{t('inviteMany')}</summary>
        <InviteMany {...part} />
      </details>
    </Section>
  );
}

function InviteOne({ workspace: { workspace_id }, roles, refresh }: Part) {
  /** The last e-mail invited, until the next request, and the number of invitations: each gets a new form. */
  const [sent, setSent] = useState({ count: 0, email: '' });
  const invite = async ({ email = '', role, message }: Record<string, string>) => {
    setSent({ ...sent, email: '' });
    await api.invitations.create({
      workspace_id,
      email,
      role,
      message: message || undefined,
    });
    setSent({ count: sent.count + 1, email });
    await refresh();
  };
  return (
    <>
      <p role="status">{sent.email && t('invited', { email: sent.email })}</p>
      <Form key={sent.count} submit={t('sendInvitation')} onSubmit={invite}>
        <Field label={t('email')} name="email" type="email" autocomplete="off" />
        <Choice label={t('role')} name="role" options={rolesToGive(roles, 'assignable')} />
        <TextField label={t('message')} name="message" />
      </Form>
    </>
  );
}

function InviteMany({ workspace: { workspace_id }, roles, refresh }: Part) {
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [total, setTotal] = useState(0);
  const invite = async ({ emails = '', role = 'member' }: Record<string, string>) => {
    const addresses = addressesIn(emails);
    const others = othersIn(emails);
    if (addresses.length === 0 || others.length > 0)
      throw new FieldError('emails', [t('emailMissing'), others.join(', ')].join(' '));
    setRows([]);
    setTotal(addresses.length);
    try {
      for (let at = 0; at < addresses.length; at += rowsAtOnce) {
        const batch = addresses.slice(at, at + rowsAtOnce);
        const invitations = batch.map((email) => ({ email, role }));
        const { body } = await api.invitations
          .create({ workspace_id, invitations })
          .catch((error: unknown) => {
            throw namingEmails(error, batch);
          });
        setRows((before) => [...before, ...(body as InvitationResults).results]);
      }
    } finally {
      await refresh();
    }
  };
  const outcomes = new Map<string, Row[]>();
  for (const row of rows) outcomes.set(row.outcome, [...(outcomes.get(row.outcome) ?? []), row]);
  return (
    <>
      <Form submit={t('sendInvitations')} onSubmit={invite}>
        <TextField label={t('emails')} name="emails" hint={t('emailsHint')} rows={6} required />
        <Choice label={t('role')} name="role" options={rolesToGive(roles, 'assignable')} />
      </Form>
      {total > 0 && (
        <>
          <label>
            {t('progress')}
            <progress value={rows.length} max={total} />
          </label>
          <div role="status">
            <ul>
              {[...outcomes].map(([outcome, each]) => (
                <li key={outcome}>
                  {count('rows', each.length)}: {t(`outcome.${outcome}` as Key)}
                  {outcome !== 'invited' && (
                    <small dir="auto">{each.map(({ email }) => email).join(', ')}</small>
                  )}
                </li>
              ))}
            </ul>
          </div>
        </>
      )}
    </>
  );
}

/** Which of the addresses the service does not take. */
function namingEmails(error: unknown, emails: readonly string[]): unknown {
  if (!isCode(error, 'invalid_request')) return error;
  const refusedEmails = error.errors.flatMap(
    ({ pointer }) => emails[Number(pointer.split('/')[3])] ?? [],
  );
  return refusedEmails.length > 0
    ? new FieldError('emails', `${t('emailMissing')} ${[...new Set(refusedEmails)].join(', ')}`)
    : error;
}

/** The addresses in a pasted text: one a line, by commas, or as a program for mail copies them, `Ada <ada@example.com>`. */
function addressesIn(text: string): string[] {
  const found = text.match(/[^\s<>,;"()]+@[^\s<>,;"()]+/g) ?? [];
  return [...new Set(found.map((each) => withDnsDomain(each).toLowerCase()))];
}

/** What stands in the place of an address, which nobody would miss: a line without one, or the name of a host alone. */
function othersIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => !line.includes('@'));
  const hosts = text.split(/[\n,;]/).filter((each) => /^\s*[^\s@.]+\.[^\s@]+\s*$/.test(each));
  return [...new Set([...lines, ...hosts].map((each) => each.trim()))].filter(Boolean);
}
