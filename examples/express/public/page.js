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
  // The list may come late: by now somebody else may be signed in, or nobody.
  if (auth.session?.uid !== session?.uid) return;
  at('notes').replaceChildren(
    ...notes.map((text) => Object.assign(document.createElement('li'), { textContent: text })),
  );
}

/** Does what somebody asks for and shows what came of it, or says that it failed. */
async function run(action) {
  try {
    await action();
    await show();
  } catch (error) {
    at('status').textContent = `That did not work (${error.code ?? error.message}).`;
  }
}
const onSubmit = (id, action) =>
  at(id).addEventListener('submit', (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    run(async () => {
      await action(Object.fromEntries(new FormData(form)));
      form.reset();
    });
  });
const onClick = (id, action) => at(id).addEventListener('click', () => run(action));

onSubmit('sign-in', async ({ email }) => {
  ({ challenge_id: challenge } = await auth.signIn.startCode({ email }));
});
onSubmit('code', async ({ code }) => {
  await auth.signIn.code({ challenge_id: challenge, code });
  challenge = undefined;
});
// A code that is wrong five times, or has expired, is of no more use: this leads to a new one, too.
onClick('other', () => {
  challenge = undefined;
  at('code').reset();
});
onSubmit('note', ({ text }) => api('POST', { text }));
onClick('sign-out', () => auth.signOut());
// The notes are those of who was signed in before.
auth.onChange(() => run(() => at('notes').replaceChildren()));
await auth.ready;
await run(() => {});
