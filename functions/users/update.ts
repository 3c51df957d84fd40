import { readOnlyUserFields } from '#shared/contract/user-fields.ts';
import { users } from '#shared/contract/users.ts';
import { changedExternalId } from '#shared/directory/external-ids.ts';
import { changedFields, divide, isEmpty } from '#shared/http/changed-fields.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { agreedAt, changeUser, updateUser } from '#shared/identity/users/update-user.ts';
import { requireUser } from '#shared/identity/users/users.ts';
import { toUser } from '#shared/identity/users/views.ts';
import { allowMailAgain } from '#shared/mail/mailboxes.ts';
import { ApiError, invalidField, notFound } from '#shared/model/errors.ts';

export const handler = endpoint(users.update, async ({ params, body, caller, match, now }) => {
  const { changes, readOnly } = divide(body, readOnlyUserFields);
  const { email: sent, email_verified, disabled, external_id: given_id, ...others } = changes;
  const { agreed_terms = {}, ...rest } = others;
  const profile = { ...rest, ...agreedAt(agreed_terms, now) };
  const agreedBefore = Object.entries(agreed_terms).filter(([, agreed]) => agreed !== true);
  const { project_id } = caller;
  if (caller.kind === 'person' && params.uid !== caller.uid)
    throw notFound('a person changes themself only');
  if (caller.kind === 'person' && caller.impersonator !== undefined && !isEmpty(agreed_terms))
    throw new ApiError('forbidden', {
      detail: 'Only the user agrees to terms, not who acts as the user',
    });
  if (sent === undefined && email_verified)
    throw invalidField('/body/email_verified', 'Must come together with email');
  const update = () => updateUser(project_id, params.uid, profile, now).as(toUser);
  const asksForProfile =
    !isEmpty(profile) && isEmpty({ sent, disabled, given_id: given_id === null ? '' : given_id });
  // A profile alone is changed without a read.
  if (asksForProfile && !match && isEmpty(readOnly) && agreedBefore.length === 0) return update();
  // A backend that vouches for an e-mail enables mails to it again, even after bounces or complaints.
  const vouched = sent !== undefined && email_verified === true && caller.kind === 'project';
  const [user, writes] = await Promise.all([
    requireUser(project_id, params.uid),
    vouched ? allowMailAgain(project_id, sent, now) : {},
  ]);
  const current = toUser(user);
  match?.(user, current);
  const email = sent === user.email && !email_verified ? undefined : sent;
  const errors = [
    ...changedFields(readOnly, { ...current, displayed_name: current.display_name }),
    ...changedFields(
      Object.fromEntries(agreedBefore),
      current.agreed_terms ?? {},
      '/body/agreed_terms',
    ),
    ...(email === '' ? [{ pointer: '/body/email', detail: 'Must be an e-mail address' }] : []),
  ];
  if (errors.length > 0) throw new ApiError('invalid_request', { errors });
  const external_id = changedExternalId(given_id, user);
  if (isEmpty({ email, disabled, external_id })) return isEmpty(profile) ? current : update();
  if (caller.kind === 'person')
    throw new ApiError('forbidden', {
      detail:
        "Only the project's backend may change an e-mail or external id here, or disable a user",
    });
  const fields = { email, email_verified, disabled, external_id, profile, writes };
  return (await changeUser(user, fields, now)).as(toUser);
});
