import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { User } from '../client/generated/api.ts';
import { page } from './address.ts';
import { type Asking, onAsk } from './asking.ts';
import { applyBranding } from './branding.ts';
import { isCode } from './failures.ts';
import { Frame } from './frame.tsx';
import { loadProject, project } from './project.ts';
import { look, onUser, restore } from './session.ts';
import { loadTexts, t } from './texts.ts';
import { Later } from './ui/later.tsx';
import { Retry } from './ui/list.tsx';
import type { View } from './view.ts';
import { views } from './views.ts';

/** Nobody who is signed in has to sign in again, unless an application asks for it. */
const asksWho = ['sign-in', 'sign-up'];

/** The dialog; what waits for it goes on without it where it does not come. */
const loadAskAgain = async ({ onEnd }: Asking) => {
  try {
    return await (await import('./ui/ask-again.tsx')).loadAskAgain();
  } catch (error) {
    onEnd(false);
    throw error;
  }
};

function App({ view, signIn }: { view: View; signIn: View }) {
  const [user, setUser] = useState<User>();
  const [asking, setAsking] = useState<Asking>();
  const [state, setState] = useState<'loading' | 'ready' | { failure: unknown }>('loading');
  const needsUser = view.for === 'user';

  const start = async () => {
    setState('loading');
    try {
      if (needsUser || asksWho.includes(page)) await restore();
      setState('ready');
    } catch (failure) {
      setState({ failure });
    }
  };
  useEffect(() => {
    onUser(setUser);
    onAsk(setAsking);
    void start();
  }, []);

  const visibleView = needsUser && !user && state === 'ready' ? signIn : view;
  useEffect(() => {
    document.title = `${t(visibleView.title)} – ${project.name}`;
  }, [visibleView]);
  useEffect(() => {
    if (visibleView !== signIn) return undefined;
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [visibleView]);
  const Show = visibleView.Show as (props: { user: User | undefined }) => preact.JSX.Element;
  return (
    <Frame title={t(visibleView.title)} user={user} wide={visibleView.wide}>
      {state === 'loading' && <p aria-busy="true">{t('loading')}</p>}
      {state === 'ready' && <Show user={user} />}
      {asking && <Later load={() => loadAskAgain(asking)} of={asking} />}
      {typeof state === 'object' && <Retry failure={state.failure} onRetry={start} />}
    </Frame>
  );
}

async function main() {
  const load = views[page as keyof typeof views] ?? views.account;
  // All at once: each is a round trip.
  const failures: unknown[] = [];
  const [, pageView, signIn] = await Promise.all([
    // Picks the language at once, which further texts are in.
    loadTexts(),
    load().then(async ({ view }) => {
      await view.loadTexts?.();
      return { view };
    }),
    views['sign-in'](),
    loadProject().catch((error: unknown) => failures.push(error)),
  ]);
  const [failure] = failures;
  if (failure === undefined) {
    applyBranding();
    render(<App view={pageView.view} signIn={signIn.view} />, document.body);
    return;
  }
  document.title = t('error.title');
  const isGone = isCode(failure, 'not_found', 'invalid_request');
  render(
    <main>
      <h1>{t('error.title')}</h1>
      {isGone ? <p>{t('error.noPage')}</p> : <Retry failure={failure} onRetry={begin} />}
    </main>,
    document.body,
  );
}

const begin = () =>
  main().catch((error: unknown) => {
    // Not even the texts have come: a connection that broke, or a page older than the last deployment.
    document.body.textContent = 'This page could not be loaded. Reload it to try again.';
    console.error(error);
  });

// A page that comes back from the browser's memory is busy with what it left for, or shows who has signed out since.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
// Another mailed link, opened in this tab, differs in the fragment alone: the browser loads nothing.
addEventListener('hashchange', () => location.reload());
void import('./focus.ts').then(({ keepFocus }) => keepFocus());
document.body.textContent = '';
void begin();
