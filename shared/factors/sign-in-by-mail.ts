import type { Project } from '../access/projects.ts';
import { attemptSignIn } from '../identity/sign-in/attempt-sign-in.ts';
import { consumeToken } from '../identity/sign-in/email-challenges.ts';
import { type RequestClient, signInByEmail } from '../identity/sign-in/sign-in.ts';
import { ApiError } from '../model/errors.ts';
import { answerSignIn } from './answer-sign-in.ts';

/** What somebody sends who has had a mail, beside what it says. */
type MailSignInInput = Parameters<typeof attemptSignIn>[0] &
  Parameters<typeof signInByEmail>[0]['newcomer'];

/**
 * Signs in who has shown by a mailed code or link that they read the mailbox. Refused as `signInByEmail` is; throws
 * what `prove` throws.
 */
export async function signInByMail(
  project: Project,
  method: 'email_code' | 'email_link',
  { project_id, device_token, ...newcomer }: MailSignInInput,
  { client, now }: { client: RequestClient; now: Date },
  prove: () => Promise<Parameters<typeof consumeToken>[0] & { email: string }>,
) {
  const { proven, signingKeys, originBy } = await attemptSignIn(
    { project_id, device_token },
    method,
    client,
    now,
    prove,
  );
  const signIn = await signInByEmail({
    project,
    email: proven.email,
    origin: originBy(method),
    newcomer,
    proof: consumeToken(proven),
    ifUnknown: new ApiError('invalid_credentials', { reason: 'no such user, and sign-up is off' }),
  });
  return signIn.as((result) => answerSignIn(project, result, signingKeys));
}
