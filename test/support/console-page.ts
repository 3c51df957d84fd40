/** The requests of the page of a console, at the address that the console prints. */
export function consolePage(address: string) {
  const { origin, hash } = new URL(address);
  const token = hash.replace('#token=', '');
  const ofPage = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

  const ask = (path: string, init: RequestInit = {}) => fetch(`${origin}${path}`, init);
  const enter = (given: unknown = token, headers: Record<string, string> = ofPage) =>
    ask('/session', { method: 'POST', headers, body: JSON.stringify({ token: given }) });

  /** Enters the console, and returns functions that send requests like the operator's page. */
  async function entered() {
    const answer = await enter();
    const { api } = (await answer.json()) as { api: string };
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
    const call = (path: string, { headers, ...init }: RequestInit = {}) =>
      ask(`${api}${path}`, { ...init, headers: { ...ofPage, cookie, ...(headers as object) } });
    const post = (path: string, body: object) =>
      call(path, { method: 'POST', body: JSON.stringify(body) });
    return { api, cookie, call, post };
  }
  return { token, ofPage, ask, enter, entered };
}
