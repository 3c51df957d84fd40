/** A mutant that no test can distinguish from the code. */
export type Survivor = {
  file: string;
  /** The source line without its indentation; the first one if the mutant spans several. */
  line: string;
  /** The replaced code, up to the end of that line, and its replacement. */
  code: string;
  by: string;
  reason: string;
};

const someText = '"Stryker was here!"';
const someList = '["Stryker was here"]';

const firstPart = 'A text that is split has a first part; the compiler does not know.';
const noMatch = 'The list stands for no match. Its first entry is skipped, as the whole match is.';
const allOrNone = 'The groups match together or not at all; the compiler does not know.';
const deleteWorkspace = 'shared/workspaces/delete-workspace.ts';
const logged = 'The cause of a failure, for the log.';
const padding =
  'What encodes bytes puts padding at the end alone, and what decodes them ends with it.';

/** Every mutant that may survive, and why. Any other survivor fails `npm run mutate`. */
export const survivors: readonly Survivor[] = [
  ...[
    { code: "''", by: someText },
    { code: '[]', by: '["Stryker was here"]' },
  ].map((mutant) => ({
    file: 'shared/access/device-token.ts',
    line: "const [, uid, device, tag] = form.exec(token ?? '') ?? [];",
    ...mutant,
    reason: 'Neither has the form of a token, or its parts.',
  })),
  ...[
    { code: '!uid || !device || !tag', by: '(!uid || !device) && !tag' },
    { code: '!uid || !device', by: 'false' },
    { code: '!uid || !device', by: '!uid && !device' },
  ].map((mutant) => ({
    file: 'shared/access/device-token.ts',
    line: 'if (!uid || !device || !tag) return undefined;',
    ...mutant,
    reason: allOrNone,
  })),
  {
    file: 'shared/access/es256-key.ts',
    line: "const secret = Buffer.from(rsa.privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');",
    ...{ code: "''", by: someText },
    reason: 'A private key has this number; the compiler does not know.',
  },
  {
    file: 'shared/access/authorization-header.ts',
    line: "if (credential !== padded && credential !== padded.replace(/=+$/, '')) return undefined;",
    code: '/=+$/',
    by: '/=+/',
    reason: padding,
  },
  {
    file: 'shared/workspaces/domains/dns.ts',
    line: "if (noRecordCodes.has((cause as { code?: string }).code ?? '')) return false;",
    code: "''",
    by: someText,
    reason: 'An error of the resolver has a code; the compiler does not know.',
  },
  {
    file: 'shared/workspaces/domains/dns.ts',
    line: 'const resolver = new Resolver({ timeout, tries: 2, maxTimeout: timeout });',
    code: '{ timeout, tries: 2, maxTimeout: timeout }',
    by: '{}',
    reason: 'How long one question takes. A test holds how long all of it may.',
  },
  ...['true', 'servers.length >= 0'].map((by) => ({
    file: 'shared/workspaces/domains/dns.ts',
    line: 'if (servers.length > 0) resolver.setServers(servers);',
    ...{ code: 'servers.length > 0', by },
    reason:
      "Without servers of our own those of the machine are asked, and no test asks the world's.",
  })),
  ...["const [ids = '', secret = ''] = token.split('.');"].map((line) => ({
    ...{
      file: 'shared/workspaces/invitations/invitation-token.ts',
      line,
      code: "''",
      by: someText,
    },
    reason: firstPart,
  })),
  {
    file: 'shared/identity/identities/identity-sign-in.ts',
    line: "identity.email === '' ? undefined : getUidByEmail(project_id, identity.email),",
    ...{ code: "''", by: '"Stryker was here!"' },
    reason:
      'It saves a read of an account that is known: nobody has an empty e-mail, and without one nobody else goes on.',
  },
  {
    file: 'shared/identity/identities/identity-sign-in.ts',
    line: 'const user = uid === undefined ? undefined : await findUser(uid);',
    code: 'uid === undefined',
    by: 'false',
    reason: 'It saves a read, which would find nothing; the budget of a new user holds it.',
  },
  {
    file: 'shared/identity/identities/identity-sign-in.ts',
    line: 'if (isLinked(found, entry)) throw new StaleReadError();',
    code: 'throw new StaleReadError();',
    by: ';',
    reason: 'It saves a transaction: the link that is there fails it, and the request runs again.',
  },
  {
    file: 'shared/identity/users/invited-user.ts',
    line: 'if (!user.only_invited) return change({}, user);',
    ...{ code: '!user.only_invited', by: 'false' },
    reason:
      'It saves a write that changes nothing; the budget of POST /users for an existing user holds it.',
  },
  {
    file: 'shared/access/jws.ts',
    line: "const [head = '', body = '', tail = ''] = parts;",
    code: "''",
    by: someText,
    reason: 'The three parts have been counted; the compiler does not know.',
  },
  {
    file: 'shared/model/bounded-map.ts',
    line: 'if (this.size > this.#limit && oldest !== undefined) this.delete(oldest);',
    ...{ code: 'oldest !== undefined', by: 'true' },
    reason: 'A map that is too large has a first key; the compiler does not know.',
  },
  {
    file: 'shared/identity/identities/identity-claims.ts',
    line: ".replace(/\\p{Cs}$/u, '');",
    code: '/\\p{Cs}$/u',
    by: '/\\p{Cs}/u',
    reason: 'What stood anywhere else is gone by then.',
  },
  {
    file: 'shared/workspaces/invitations/invite.ts',
    line: '...(message !== undefined && { message }),',
    code: 'message !== undefined',
    by: 'true',
    reason: 'What is undefined is not written; the compiler does not know.',
  },
  {
    file: 'shared/workspaces/joining/join-token.ts',
    line: "const [ids = '', secret = ''] = token.slice(tokenPrefix.length).split('.');",
    code: "''",
    by: someText,
    reason: firstPart,
  },
  {
    file: 'shared/model/client-network.ts',
    line: "const [head = '', tail = ''] = address.toLowerCase().replace(/%.*/, '').split('::');",
    code: "''",
    by: someText,
    reason: `${firstPart} A text without a colon is one group of the tail, as none is, and neither is shown.`,
  },
  {
    file: 'shared/model/uuid-bytes.ts',
    line: "bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');",
    code: '/(.{8})(.{4})(.{4})(.{4})(.{12})/',
    by: '/(.{8})(.{4})(.{4})(.{4})(.)/',
    reason: 'What the last group leaves of the text stays behind it.',
  },
  {
    file: 'shared/identity/passwords/password-hash.ts',
    line: "const [, , , , salt = '', tag = ''] = form.exec(hash ?? '') ?? [];",
    code: "''",
    by: someText,
    reason: 'Where there is no hash of ours, nothing that stands for its parts is used.',
  },
  {
    file: 'shared/identity/passwords/password-hash.ts',
    line: "const [, , , , salt = '', tag = ''] = form.exec(hash ?? '') ?? [];",
    code: '[]',
    by: someList,
    reason: noMatch,
  },
  {
    file: 'shared/identity/passwords/password-hash.ts',
    line: "return bytes.toString('base64').replace(/=+$/, '');",
    code: '/=+$/',
    by: '/=+/',
    reason: padding,
  },
  {
    file: 'shared/access/refresh-token.ts',
    line: 'const [, content, tag] = form.exec(token) ?? [];',
    code: '[]',
    by: someList,
    reason: noMatch,
  },
  {
    file: 'shared/access/refresh-token.ts',
    line: 'if (!content || !tag) return undefined;',
    code: '!content || !tag',
    by: '!content && !tag',
    reason: allOrNone,
  },
  {
    file: 'shared/access/refresh-token.ts',
    line: "contentForm.exec(Buffer.from(content, 'base64url').toString('utf8')) ?? [];",
    code: '[]',
    by: someList,
    reason: noMatch,
  },
  ...[
    ['!uid || !session_id || !counter', '(!uid || !session_id) && !counter'],
    ['!uid || !session_id', 'false'],
    ['!uid || !session_id', '!uid && !session_id'],
  ].map(([code = '', by = '']) => ({
    file: 'shared/access/refresh-token.ts',
    line: 'if (!uid || !session_id || !counter) return undefined;',
    ...{ code, by, reason: allOrNone },
  })),
  {
    file: 'shared/identity/sign-in/sign-in.ts',
    line: 'uid === undefined ? [] : await Promise.all([findUser(uid), entry.token && getPassword(uid)]);',
    code: 'uid === undefined',
    by: 'false',
    reason: 'It saves a read, which would find nothing; the budgets of sign-ups hold it.',
  },
  {
    file: 'shared/identity/sign-in/sign-in.ts',
    line: 'replacesAllSessions: true,',
    code: 'true',
    by: 'false',
    reason: 'It saves a query, which would find one session; the budgets of sign-ins hold it.',
  },
  {
    file: 'shared/access/signing-keys.ts',
    line: "return signingSecret.safeParse(JSON.parse(text ?? '')).data;",
    code: "''",
    by: someText,
    reason: 'No more JSON than nothing is.',
  },
  {
    file: 'shared/access/signing-keys.ts',
    line: '} catch {',
    code: '{',
    by: '{}',
    reason: 'A function that returns nothing returns undefined.',
  },
  {
    file: 'shared/workspaces/joining/admission.ts',
    line: "const domain = user?.verified.email ? domainOf(user.email) : '';",
    code: "''",
    by: someText,
    reason: 'No workspace allows either.',
  },
  ...[
    {
      file: 'shared/identity/identities/identity-links.ts',
      line: "throw notFound('no account of the provider is linked');",
      code: "'no account of the provider is linked'",
    },
    {
      file: 'shared/identity/identities/identity-sign-in.ts',
      line: "throw new ApiError('identity_token_invalid', { reason: 'the linked user was deleted' });",
      code: "'the linked user was deleted'",
    },
  ].map((mutant) => ({ ...mutant, by: '""', reason: logged })),
  ...[
    {
      code: "'the owner was deleted'",
      line: "if (!owner) throw notFound('the owner was deleted');",
    },
    {
      code: "'no such workspace'",
      line: "if (!workspace || workspace.project_id !== project_id) throw notFound('no such workspace');",
    },
    {
      code: "'deleted too long ago to be restored'",
      line: "if (restorable <= epochSeconds(now)) throw notFound('deleted too long ago to be restored');",
    },
  ].map((mutant) => ({
    file: deleteWorkspace,
    ...{ ...mutant, by: '""' },
    reason: logged,
  })),
  {
    file: deleteWorkspace,
    line: '...deletion(workspace, now, purgedWorkspace - deletedWorkspace),',
    code: 'purgedWorkspace - deletedWorkspace',
    by: 'purgedWorkspace + deletedWorkspace',
    reason:
      'test/functions/users/delete.test.ts fails of it, but deletes before all of its tests, where Stryker does not see which ones a line is run for.',
  },
  {
    file: deleteWorkspace,
    line: "if (!workspace || workspace.project_id !== project_id) throw notFound('no such workspace');",
    code: 'workspace.project_id !== project_id',
    by: 'false',
    reason: 'test/contract/strangers.test.ts fails of it, which asks this of every route.',
  },
  {
    file: deleteWorkspace,
    line: 'failed?.version === version && failed.owned_workspace_count >= limits.ownedWorkspacesPerUser',
    code: 'failed.owned_workspace_count >= limits.ownedWorkspacesPerUser',
    by: 'true',
    reason: 'A user who has not changed fails by nothing but the limit.',
  },
  {
    file: deleteWorkspace,
    line: "external_id === undefined ? undefined : findByExternalId('WORKSPACES', project_id, external_id),",
    code: 'external_id === undefined',
    by: 'false',
    reason: 'One read more, which finds nothing: test/budget.test.ts fails of it.',
  },
  {
    file: deleteWorkspace,
    line: 'const kept = external_id === undefined || isLost ? {} : { external_id };',
    code: 'external_id === undefined',
    by: 'false',
    reason: 'A field that is undefined is neither stored nor returned.',
  },
];
