import { createCookieAuth } from './client/cookie-session.js';

const auth = createCookieAuth();
const at = (id) => document.getElementById(id);
let challenge;

/** Your own backend: the token is good for at least 30 seconds, and renewed before that. */
async function api(method, body) {
  const authorization = `Bearer ${await auth.getAccessToken()}`;
  const sent = { method, body, headers: { authorization, 'content-type': 'application/json' } };
  const response = await fetch('/api/notes', sent);
  if (!response.ok) throw new Error(`${response.status}`);
  return response.status === 204 ? undefined : response.json();
}

async function show() {
  const { session } = auth;
  at('status').textContent = session ? `Signed in as ${session.user.email}` : 'Signed out';
  at('sign-in').hidden = session !== null || challenge !== undefined;
  at('code').hidden = session !== null || challenge === undefined;
  at('note').hidden = session === null;
  // The list, or its failure, may come late: by now somebody else may be signed in, or nobody.
  const notes = session ? await api('GET').catch((error) => error) : [];
  if (auth.session?.uid !== session?.uid) return;
  if (notes instanceof Error) throw notes;
  const item = (textContent) => Object.assign(document.createElement('li'), { textContent });
  at('notes').replaceChildren(...notes.map((text) => item(text)));
}

/** Does what somebody asks for and shows what came of it, or says that it failed. */
async function run(action, form) {
  try {
    await action(form && Object.fromEntries(new FormData(form)));
    form?.reset();
    await show();
  } catch (error) {
    at('status').textContent = `That did not work (${error.code ?? error.message}).`;
  }
}
const onClick = (id, action) => at(id).addEventListener('click', () => run(action));
const onSubmit = (id, action) =>
  at(id).addEventListener('submit', (event) => {
    event.preventDefault();
    void run(action, event.target);
  });

onSubmit('sign-in', async ({ email }) => {
  ({ challenge_id: challenge } = await auth.signIn.startCode({ email }));
});
onSubmit('code', ({ code }) => auth.signIn.code({ challenge_id: challenge, code }));
onSubmit('note', ({ text }) => api('POST', JSON.stringify({ text })));
onClick('sign-out', () => auth.signOut());
/** What was begun or shown before is of no use to who comes next. */
const clear = () => {
  challenge = undefined;
  at('notes').replaceChildren();
};
onClick('other', clear);
auth.onChange(() => run(clear));
void run(() => auth.ready);
