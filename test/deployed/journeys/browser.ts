import { CookieJar } from '../../support/cookie-jar.ts';

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
  const jar = new CookieJar();

  async function send(method: string, path: string, asked: Asked = {}): Promise<Seen> {
    const { form, authorization } = asked;
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        'sec-fetch-site': 'same-origin',
        ...jar.header,
        ...(authorization !== undefined && { authorization }),
      },
      ...(form && { body: new URLSearchParams(form) }),
    });
    jar.keep(response.headers.getSetCookie());
    const [to = '', search] = (response.headers.get('location') ?? '').split('?');
    return {
      ...{ status: response.status, headers: response.headers, text: await response.text() },
      ...{ to, given: Object.fromEntries(new URLSearchParams(search)) },
    };
  }

  return { send, jar };
}

export type Browser = ReturnType<typeof newBrowser>;
