import type { User, UserExport } from '../../../client/generated/api.ts';
import { nextCursor } from '../../../client/pages.ts';
import { download } from '../../../client/react/download.ts';
import { project } from '../../project.ts';
import { api } from '../../session.ts';
import { t } from '../../texts.ts';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';

/** The lists of an export that go on from page to page. */
const lists = ['memberships', 'invitations', 'join_requests', 'owned_workspaces'] as const;

/** Everything that the service has about the user, as one file. */
export function Data({ user }: { user: User }) {
  const save = async () => {
    const text = JSON.stringify(await readExport(user.uid), undefined, 2);
    download(`${project.project_id}-${user.uid}.json`, text, 'application/json');
  };
  return (
    <Section title={t('yourData')}>
      <p>{t('exportExplained')}</p>
      <Form submit={t('export')} done={t('exported')} onSubmit={save}>
        {null}
      </Form>
    </Section>
  );
}

async function readExport(uid: string): Promise<UserExport> {
  const firstPage = await api.users.export({ uid });
  const userExport = firstPage.body;
  let cursor = nextCursor(firstPage.headers);
  while (cursor !== undefined) {
    const { body, headers } = await api.users.export({ uid, cursor });
    for (const list of lists) (userExport[list] as unknown[]).push(...body[list]);
    // The events of a later page are older.
    userExport.events.unshift(...body.events);
    cursor = nextCursor(headers);
  }
  // All of them have been read.
  delete userExport.events_truncated;
  return userExport;
}
