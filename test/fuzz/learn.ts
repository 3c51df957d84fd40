import type { Sent } from './resolve.ts';
import { type Scene, type Session, tokenOf } from './scene.ts';
import type { Response } from './send.ts';

type Answer = Record<string, unknown> & { result?: Record<string, unknown>[] };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Records the values of a successful response for later requests. */
export function learn(
  { scene, body, subject }: Sent,
  operation: string,
  { headers, text: answered }: Response,
): void {
  const link = /[?&]cursor=([^&>]+)/.exec(String(headers['link'] ?? ''))?.[1];
  if (link !== undefined) scene.cursor = decodeURIComponent(link);
  const code = /[?&]code=([^&]+)/.exec(String(headers['location'] ?? ''))?.[1];
  if (code !== undefined) scene.authorization_code = decodeURIComponent(code);
  if (operation === 'pages.page')
    scene.asset = /assets\/(main\.\w+\.js)/.exec(answered)?.[1] ?? scene.asset;
  if (!answered.startsWith('{')) return;
  const answer = JSON.parse(answered) as Answer;
  if (operation === 'browserSessions.refresh')
    answer['refresh_token'] = /=([^;]+)/.exec(String(headers['set-cookie']))?.[1];
  const sent = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  keepSession(scene, answer);
  scene.mfa_token = text(answer['mfa_token']) || scene.mfa_token;
  switch (operation) {
    case 'codes.start':
      scene.challenges.set(text(sent['email']), text(answer['challenge_id']));
      break;
    case 'events.list':
    case 'events.listOfWorkspace':
      scene.feed_cursor = text(answer['next_cursor']);
      if (operation === 'events.list')
        scene.event_id = text(answer.result?.at(-1)?.['id']) || scene.event_id;
      break;
    case 'apiKeys.create':
    case 'apiKeys.rotate':
      if (subject.standing === 'admin')
        Object.assign(scene, { key_id: text(answer['key_id']), key: text(answer['key']) });
      break;
    case 'workspaceKeys.create':
    case 'workspaceKeys.rotate':
      scene.workspace_key_id = text(answer['key_id']);
      scene.workspace_key = text(answer['key']);
      break;
    case 'invitations.create':
    case 'invitations.resend':
      scene.invitation_token = tokenOf(answer['link']) || scene.invitation_token;
      break;
    case 'joinLinks.create':
      scene.link_id = text(answer['link_id']);
      scene.join_token = text(answer['token']);
      break;
    case 'oauth.token':
      scene.refresh_token = text(answer['refresh_token']);
      scene.id_token_hint = text(answer['id_token']) || scene.id_token_hint;
      break;
    case 'factors.startEnrolment':
      scene.enrol_secret = text(answer['secret']);
      break;
    case 'factors.startTotp':
      scene.totp_secret = text(answer['secret']);
      break;
    case 'factors.renewRecoveryCodes':
      scene.recovery_codes.set(subject.uid, answer['recovery_codes'] as string[]);
      break;
    case 'passkeys.startRegistration':
      scene.creation = answer['publicKey'] as NonNullable<Scene['creation']>;
      break;
    case 'passkeys.startSignIn':
      scene.request = answer['publicKey'] as NonNullable<Scene['request']>;
      break;
    case 'passkeys.register':
      scene.passkey_id = text(answer['passkey_id']);
      break;
    case 'passwords.change':
      subject.password = text(sent['new_password']);
      break;
    case 'passwords.set':
      for (const person of Object.values(scene.people))
        if (person.uid === answer['uid'])
          // Their other sessions have ended.
          Object.assign(person, { password: text(sent['password']), session: person.other });
      break;
    case 'webhooks.create':
      scene.webhook_id = text(answer['webhook_id']);
      break;
    case 'webhooks.list':
      scene.webhook_id = text(answer.result?.[0]?.['webhook_id']) || scene.webhook_id;
      break;
    case 'workspaces.create':
      scene.spare_id = text(answer['workspace_id']);
      break;
    default:
      break;
  }
}

/** A started or refreshed session replaces the one that may end. */
function keepSession(scene: Scene, { uid, access_token, refresh_token }: Answer): void {
  if (typeof access_token !== 'string' || typeof refresh_token !== 'string') return;
  const session: Session = { access: access_token, refresh: refresh_token };
  for (const person of Object.values(scene.people)) if (person.uid === uid) person.other = session;
}
