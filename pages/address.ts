import { takeRequest } from './provider-request.ts';

/** Where this page is: `<service>/pages/<project>/<page>`. The service may have a path of its own. */
const [, basePath = '', projectOfPath = '', pageOfPath = ''] =
  /^(.*)\/pages\/([^/]+)\/([^/]+)$/.exec(location.pathname) ?? [];

/** The base URL of the service. */
export const service = location.origin + basePath;
export const projectId = projectOfPath;
/** What this entry of the history keeps. A reload and a way back find it there; no address, referrer or storage has it. */
const entryState = history.state as { fragment?: string } | null;
/** Tokens of mailed links come in the fragment, which no browser sends. So does the answer of an identity provider. */
const inFragment = new URLSearchParams(location.hash.slice(1) || entryState?.fragment);
/** One that the service has asked itself is answered with a code, or an error, in the query. */
const inQuery = new URLSearchParams(location.search);
const isByQuery = /[?&](?:code|error)=/.test(location.search);
const answerParameters = isByQuery ? inQuery : inFragment;
const request = takeRequest(answerParameters.get('state'));
const ownSearch = request?.search ?? (isByQuery ? '' : location.search);
/** An account is linked where that was begun; providers know the sign-in page alone. */
export const page = request?.linkTo === undefined ? pageOfPath : 'account';
export const fragment = request ? new URLSearchParams() : inFragment;
export const query = new URLSearchParams(ownSearch);
/** The token of a mailed link, and never the answer of a provider. */
const isMailed = fragment.has('token') || fragment.has('join');
// Out of the address bar at once: not in a list of visited pages, in a bookmark or in a screenshot.
if (location.hash !== '' || isByQuery)
  history.replaceState(
    isMailed ? { fragment: `${fragment}` } : null,
    '',
    location.pathname.replace(/[^/]+$/, page) + ownSearch,
  );

/** Takes a mailed token out of the history once it is of no more use: the next at this browser may be somebody else. */
export const forgetFragment = (): void => history.replaceState(null, '');

/** The answer of an identity provider to what this tab has asked; without a token or a code, somebody has refused. */
export const providerAnswer = request && {
  ...request,
  id_token: answerParameters.get('id_token') ?? undefined,
  code: answerParameters.get('code') ?? undefined,
};

/** The bare address of a page of this project, as it is known to identity providers. */
export const pageUrl = (name: string): string => `${service}/pages/${projectId}/${name}`;
