import type { ReactNode } from 'react';
import { Page } from './ui/page.tsx';
import { Link } from './ui/route.tsx';
import type { ViewProps } from './ui/view-props.ts';
import { EventsView } from './views/events.tsx';
import { ImportView } from './views/import.tsx';
import { MailsView } from './views/mails.tsx';
import { OverviewView } from './views/overview.tsx';
import { ProjectsView } from './views/projects.tsx';
import { RolesView } from './views/roles.tsx';
import { SettingsView } from './views/settings.tsx';
import { UserView } from './views/user.tsx';
import { UsersView } from './views/users.tsx';
import { WebhookView } from './views/webhook.tsx';
import { WebhooksView } from './views/webhooks.tsx';
import { WorkspaceView } from './views/workspace.tsx';
import { WorkspacesView } from './views/workspaces.tsx';

/** The views of a project, by their part of the address; those of one thing below it have its id. */
const ofProject: Record<string, (props: ViewProps) => ReactNode> = {
  '': OverviewView,
  users: UsersView,
  'users/': UserView,
  import: ImportView,
  workspaces: WorkspacesView,
  'workspaces/': WorkspaceView,
  roles: RolesView,
  events: EventsView,
  webhooks: WebhooksView,
  'webhooks/': WebhookView,
  settings: SettingsView,
};

/** What an address shows, and the project that it is about. */
export function viewOf(path: string): { view: ReactNode; project: string | undefined } {
  if (path === '/') return { view: <ProjectsView />, project: undefined };
  if (path === '/mails') return { view: <MailsView />, project: undefined };
  const [, project, kind = '', id = ''] =
    /^\/projects\/([a-z0-9-]+)(?:\/([a-z]+))?(?:\/([\w-]+))?$/.exec(path) ?? [];
  const View = ofProject[id === '' ? kind : `${kind}/`];
  if (project === undefined || !View) return { view: <Missing />, project };
  // Another thing is another view: nothing of the one before stays.
  return { view: <View key={path} project={project} id={id} />, project };
}

const Missing = () => (
  <Page title="Nothing here">
    <p>
      This address shows nothing.
      <Link href="/" underline="always">
        All projects
      </Link>
    </p>
  </Page>
);
