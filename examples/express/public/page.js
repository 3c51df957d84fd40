import { createCookieAuth } from './client/cookie-session.js';

const auth = createCookieAuth();
const at = (id) => document.getElementById(id);
let challenge;

/** Your own backend: the token is good for at least 30 seconds, and renewed before that. */
async function api(method, body) {
  const headers = {
    authorization: `Bearer ${await auth.getAccessToken()}`,
    'content-type': 'application/json',
  };
  const sent = body && { body: JSON.stringify(body) };
  const response = await fetch('/api/notes', { method, headers, ...sent });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.status === 204 ? undefined : response.json();
}

async function show() {
  const { session } = auth;
  at('status').textContent = session ? `Signed in as ${session.user.email}` : 'Signed out';
  at('sign-in').hidden = session !== null || challenge !== undefined;
  at('code').hidden = session !== null || challenge === undefined;
  at('note').hidden = session === null;
  const notes = session ? await api('GET') : [];
  at('notes').replaceChildren(
    ...notes.map((text) => Object.assign(document.createElement('li'), { textContent: text })),
  );
}

/** Does what a form is for, and says so if it failed. */
const onSubmit = (id, action) =>
  at(id).addEventListener('submit', async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    try {
      await action(Object.fromEntries(new FormData(form)));
      form.reset();
      await show();
    } catch (error) {
      at('status').textContent = `That did not work (${error.code ?? error.message}).`;
    }
  });

onSubmit('sign-in', async ({ email }) => {
  ({ challenge_id: challenge } = await auth.signIn.startCode({ email }));
});
onSubmit('code', async ({ code }) => {
  await auth.signIn.code({ challenge_id: challenge, code });
  challenge = undefined;
});
onSubmit('note', ({ text }) => api('POST', { text }));
at('sign-out').addEventListener('click', () => auth.signOut());
auth.onChange(show);
await auth.ready;
await show();
