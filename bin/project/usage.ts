import { impersonations } from '../../shared/access/projects.ts';
import { workspaceCreations } from '../../shared/model/fields.ts';
import { languages } from '../../shared/model/languages.ts';
import { lifetimes, limits } from '../../shared/model/limits.ts';
import { presetNames } from '../../shared/model/provider-presets.ts';
import { maxMinimumLength } from '../../shared/operator/request.ts';

/** The help of `npm run project:*`. */
export const usage = `Usage, against a deployed stack or, with --local, the local data:
  npm run project:create -- --name NAME [--project ID] [SETTINGS]
  npm run project:list --
  npm run project:update -- --project ID [--name NAME] [SETTINGS]
  npm run project:rotate-key -- --project ID [--keep N]
  npm run project:create-secret -- --project ID [--name NAME] [--expires-in SECONDS] [SECRET]
  npm run project:update-secret -- --project ID --secret-id ID [--name NAME] [SECRET]
  npm run project:list-secrets -- --project ID
  npm run project:revoke-secret -- --project ID --secret-id ID
  npm run project:create-client -- --project ID --client NAME --client-name TEXT --redirect-uris JSON [CLIENT]
  npm run project:update-client -- --project ID --client NAME [--client-name TEXT] [--redirect-uris JSON] [CLIENT]
  npm run project:delete-client -- --project ID --client NAME
  npm run project:create-client-secret -- --project ID --client NAME
  npm run project:revoke-client-secret -- --project ID --client NAME --secret-id ID
each with: --stack NAME (credentials and region as the AWS CLI takes them) | --local [--data FOLDER]

SETTINGS (default: off or unset unless noted):
  --create-users-on-get true|false      GET /users/{uid} creates a missing user (default: true)
  --password-sign-in true|false         users sign in with a password
  --code-sign-in true|false             users sign in with a code sent by e-mail
  --link-sign-in true|false             users sign in with a link sent by e-mail
  --passkeys true|false                 users sign in with a passkey
  --sign-up true|false                  users may sign up by themselves
  --new-device-mail true|false          users get a mail about a sign-in from a new device (default: true)
  --mfa off|optional|required           whether users may, or must, have a second factor
  --recent-sign-in true|false           changes of ways to sign in, API keys, ownership and deletion take a sign-in of the
                                        last ten minutes
  --impersonation ${impersonations.join('|')}         whether your team may act as a user, and with notify the user gets a mail about it
  --workspace-creation ${workspaceCreations.join('|')}
                                        who creates workspaces beside the backend: nobody, users with a verified e-mail, or
                                        every user (default: ${workspaceCreations[0]})
  --workspace-roles true|false          workspaces may define roles of their own
  --token-algorithm RS256|ES256         signs access tokens; AWS's own authorizers verify RS256 alone, as do releases before 0.8.0 (default: RS256)
  --hosted-pages true|false             the service shows pages of its own for sign-in and account; unset links lead to them
  --pages-domain NAME                   update alone: host name of its hosted pages, such as auth.example.com (default: that of the service)
  --rp-id DOMAIN                        to which its passkeys belong, such as example.com (default: the host name of its hosted pages)
  --origins JSON                        goes with --rp-id: where its passkeys work, such as ["https://app.example.com"],
                                        at most ${limits.passkeyOrigins}, each at or below that domain
  --token-claims JSON                   what access tokens also say of the user, such as ["external_id","app_metadata.plan"], at most ${limits.tokenClaims}
  --invitation-base-url URL             base URL of the invitation links of its workspaces
  --min-password-length N               ${limits.password.least} to ${maxMinimumLength} (default: ${limits.password.min})
  --api-key-rate-limit N                requests per minute with each API key, 1 to ${limits.apiKeys.requestsPerMinute} (default: unlimited)
  --captcha JSON                        such as {"provider":"turnstile","site_key":"KEY","rule":"after_failures","failures":3,"hostnames":["www.example.com"]};
                                        its secret key: npm run project:captcha-secret
  --identity-providers JSON             such as {"google":{"client_ids":["ID"]}}; others also need issuer and jwks_uri
  --sign-in-providers JSON              where people are redirected to sign in, such as {"github":{"client_id":"ID"}}; presets: ${presetNames.join(', ')}.
                                        Then set each secret: npm run project:provider-secret -- --help
  --return-urls JSON                    where they come back to, such as ["https://app.example.com/signed-in"], compared as a whole
  --mail-sender EMAIL                   sender address of its mails
  --mail-sender-name NAME               product name in its mails (default: the project's name)
  ${`--mail-language ${languages.join('|')}`.padEnd(37)} of notices, invitations, and what is asked for in no known language (default: ${languages[0]})
  --mail-links JSON                     such as {"reset_password":"https://app.example.com/reset"}; also sign_up,
                                        verify_email, change_email, sign_in_link
  --branding JSON                       of the hosted pages, such as {"color":"#0055ff","links":{"home":"https://example.com"}};
                                        links are home, terms, privacy, support
  --logo FILE                           goes with --branding: its logo, an SVG, PNG or WebP of at most 6 KB
To unset one from --pages-domain to --branding, update it with an empty value ('').

SECRET: what a secret of a backend is limited to (default: nothing). A change holds within ${lifetimes.projectCache} s; to end a limit, update it with ''.
  --scopes LIST                         what it may do, such as users:read,events:read; all: docs/reference/scopes.md
  --source-cidrs LIST                   where it works from, such as 203.0.113.0/24,2001:db8::/32, at most ${limits.sourceCidrsPerSecret}

CLIENT: an application that signs users in by the hosted pages. Its client_id is ID.NAME.
  --client NAME                         1 to 32 of a-z, 0-9 and -
  --client-name TEXT                    what the pages call it
  --redirect-uris JSON                  such as ["https://app.example.com/callback"], at most ${limits.redirectUrisPerClient}, compared as a whole
  --post-logout-redirect-uris JSON      where it may send users after sign-out (default: [])
  --confidential true|false             create-client alone: it is a backend, which keeps a secret (default: false)`;
