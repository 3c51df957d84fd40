/**
 * A response as a browser sees it. Redirects are not followed automatically, because they lead to the API's address.
 */
export type Seen = {
  status: number;
  headers: Headers;
  text: string;
  /** The redirect's target: the address without its query, and the query. */
  to: string;
  given: Record<string, string>;
};

export type Asked = { form?: Record<string, string>; authorization?: string };

/** A browser, or an HTTP program without the client package. It stores cookies, and sends the page's own origin. */
export function newBrowser(url: string) {
  const jar = new Map<string, string>();

  async function send(method: string, path: string, asked: Asked = {}): Promise<Seen> {
    const { form, authorization } = asked;
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(jar.size > 0 && {
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
        ...(authorization !== undefined && { authorization }),
      },
      ...(form && { body: new URLSearchParams(form) }),
    });
    keep(response.headers.getSetCookie());
    const [to = '', search] = (response.headers.get('location') ?? '').split('?');
    return {
      ...{ status: response.status, headers: response.headers, text: await response.text() },
      ...{ to, given: Object.fromEntries(new URLSearchParams(search)) },
    };
  }

  function keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; max-age=0(?:;|$)/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
  }

  return { send, jar };
}

export type Browser = ReturnType<typeof newBrowser>;
