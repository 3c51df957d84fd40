import { Domains } from './domains.tsx';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';
import { JoinLinks } from './join-links.tsx';
import { JoinRequests } from './join-requests.tsx';
import { Log } from './log.tsx';
import type { Part } from './part.ts';
import { mayRequireMfa, RequireMfa } from './require-mfa.tsx';

/** What is there for those who manage the workspace, each with what they may. A file of its own: the members come before it. */
export function Manage(part: Part) {
  const { may } = part;
  return (
    <>
      {may('join-request:list') && <JoinRequests {...part} />}
      {may('invitation:create') && <Invite {...part} />}
      {may('invitation:list') && <Invitations {...part} />}
      {may('join-link:list') && <JoinLinks {...part} />}
      {may('domain:list') && <Domains {...part} />}
      {mayRequireMfa(part) && <RequireMfa {...part} />}
      {may('event:list') && <Log {...part} />}
    </>
  );
}
