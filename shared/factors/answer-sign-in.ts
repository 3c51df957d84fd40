import type { Project } from '../access/projects.ts';
import type { SigningKeys } from '../access/signing-keys.ts';
import { reply } from '../http/reply.ts';
import type { MfaRequired } from '../model/user-resources.ts';
import type { SignedIn } from '../identity/sign-in.ts';
import { issueTokensFor } from '../identity/token-claims.ts';

/** The response of a sign-in by a first factor: the tokens of its session, or that a second factor is required. */
export const answerSignIn = async (
  project: Project,
  result: SignedIn | MfaRequired,
  keys: SigningKeys,
) =>
  'mfa_required' in result ? reply(result, { status: 200 }) : issueTokensFor(project, result, keys);
