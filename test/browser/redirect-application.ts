import { join } from 'node:path';
import { build } from 'esbuild';
import { serve } from '../support/serve.ts';
import { startHostedStage } from './hosted-stage.ts';

/** A minimal application that uses the package: one page that signs in by redirect. */
const application = `
import { createAuth } from './auth.ts';
import { createRedirect } from './redirect.ts';
const { url, projectId, clientId } = JSON.parse(document.body.dataset.settings);
const auth = createAuth({ url, projectId });
const redirectUri = location.origin + '/';
const redirect = createRedirect({ url, clientId, redirectUri, auth });
const [status, ...buttons] = document.querySelectorAll('p, button');
const actions = [
  () => redirect.signIn({ state: 'from the start' }),
  () => redirect.signIn({ prompt: 'login' }),
  () => redirect.signIn({ prompt: 'none' }),
  () => redirect.signOut({ returnTo: redirectUri }),
];
const say = (text) => { status.textContent = text; };
buttons.forEach((button, at) => button.addEventListener('click', actions[at]));
redirect.finish().then(async (finished) => {
  if (!finished) return say('Nobody has signed in.');
  const { body } = await auth.api.users.getMe({});
  say('Signed in: ' + body.email + ', ' + finished.state);
}).catch(({ name, code }) => say(name + ': ' + code));
`;

/** Serves the application on its own origin; `use` sets the service. */
export async function serveApplication() {
  const { outputFiles } = await build({
    stdin: { contents: application, resolveDir: join(import.meta.dirname, '../../client') },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const script = outputFiles[0]?.text ?? '';
  let settings = {};
  const site = await serve(({ url = '' }, response) => {
    if (url === '/application.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
      return;
    }
    const json = JSON.stringify(settings).replaceAll('"', '&quot;');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,">
<body data-settings="${json}"><main><h1>Application</h1><p></p><button>Sign in</button> <button>Sign in anew</button>
<button>Ask silently</button> <button>Sign out</button></main><script type="module" src="/application.js"></script>`);
  });
  return {
    /**
     * Another site than the service, which uses an IP address: its cookie is sent to the service only with navigations.
     */
    origin: site.replace('127.0.0.1', 'localhost'),
    use(service: { url: string; projectId: string; clientId: string }) {
      settings = service;
    },
  };
}

/**
 * A service, and an application of another site that signs in on the hosted pages with
 * `identity-workspace-client/redirect`.
 */
export async function startRedirectStage() {
  const { origin, use } = await serveApplication();
  const stage = await startHostedStage({ mfa: 'optional' }, [origin]);
  const { world, project_id } = stage;
  await world.operate({
    action: 'create-client',
    project_id,
    client: 'web',
    client_name: 'Application',
    redirect_uris: [`${origin}/`],
    post_logout_redirect_uris: [`${origin}/`],
  });
  use({ url: world.url, projectId: project_id, clientId: `${project_id}.web` });
  return { origin, stage };
}

/** The text that the application shows after a sign-in. */
export const signedIn = (email: string, state = 'from the start') =>
  `Signed in: ${email}, ${state}`;
