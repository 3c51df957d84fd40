/** Where this page is: `<service>/pages/<project>/<page>`. The service may have a path of its own. */
const [, before = '', projectOfPath = '', pageOfPath = ''] =
  /^(.*)\/pages\/([^/]+)\/([^/]+)$/.exec(location.pathname) ?? [];

/** The base URL of the service. */
export const service = location.origin + before;
export const projectId = projectOfPath;
export const page = pageOfPath;
export const query = new URLSearchParams(location.search);

/** Tokens of mailed links come in the fragment, which no browser sends. */
export const fragment = new URLSearchParams(location.hash.slice(1));
// Out of the address bar at once: not in the history, in a bookmark or in a screenshot.
if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);

/** The address of a page of this project. */
export const hrefOf = (name: string, parameters?: Record<string, string>): string => {
  const search = new URLSearchParams(parameters).toString();
  return `${service}/pages/${projectId}/${name}${search && `?${search}`}`;
};
