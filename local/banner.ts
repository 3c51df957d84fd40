import { styleText } from 'node:util';
import type { Credential } from './seed.ts';

/** The banner at start: URL, credentials, and commands to copy into a shell in this order. */
export function welcome(url: string, projects: Credential[], place: string): string {
  const bold = (text: string) => styleText('bold', text);
  const dim = (text: string) => styleText('dim', text);
  const credentials = projects.map((each) => `${each.project_id}:${each.secret}`);
  const clients = projects.flatMap(({ client }) =>
    client ? [`${client.client_id}:${client.secret}`] : [],
  );
  const lines = tour(url, credentials[0] ?? '');
  return `
  ${bold('Identity and workspace service')}   ${dim(`${place} · Ctrl-C stops it`)}

  URL         ${bold(url)}
  Docs        ${url}/docs
  Mail        ${url}/_local/mail
${[...credentials.map((each) => `  Basic       ${bold(each)}`), ...clients.map((each) => `  Client      ${each}`)].join('\n')}

${lines.map(([title, line]) => `  ${dim(`# ${title}`)}\n  ${line}`).join('\n')}
`;
}

/** Title and shell command of each step; steps use variables set by earlier ones. */
export function tour(url: string, credential: string): [string, string][] {
  const curl = (path: string, rest = '') => `curl -s "$api${path}"${rest}`;
  const post = (path: string, body: string) => curl(path, ` -u "$basic" -H "$json" -d ${body}`);
  const find = (variable: string, field: string, call: string) =>
    `${variable}=$(${call} | sed -E 's/.*"${field}":"([^"]+)".*/\\1/'); echo "$${variable}"`;
  return [
    ['Set these first', `api=${url} basic=${credential} json='content-type: application/json'`],
    ['Create a user', find('user', 'uid', post('/users', `'{"email":"ada@example.com"}'`))],
    [
      'Start a session',
      find('token', 'access_token', post('/sessions', `"{\\"uid\\":\\"$user\\"}"`)),
    ],
    ['Who am I', curl('/users/me', ' -H "authorization: Bearer $token"; echo')],
    [
      'Create a workspace',
      find(
        'workspace',
        'workspace_id',
        post('/workspaces', `"{\\"name\\":\\"Acme\\",\\"owner_id\\":\\"$user\\"}"`),
      ),
    ],
    [
      'List its members',
      curl('/workspaces/$workspace/users?status=accepted', ' -u "$basic"; echo'),
    ],
  ];
}
