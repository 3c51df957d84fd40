import { request } from 'node:http';

export type AnswerAtHost = { status: number; headers: Record<string, string>; body: string };

/** Sends a request to the service under another host name, as a custom domain would. */
export function atHost(
  url: string,
  host: string,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<AnswerAtHost> {
  const { promise, resolve, reject } = Promise.withResolvers<AnswerAtHost>();
  const sent = request(new URL(path, url), { method, headers: { ...headers, host } }, (answer) => {
    let body = '';
    answer.setEncoding('utf8');
    answer.on('data', (part: string) => (body += part));
    answer.on('end', () =>
      resolve({
        status: answer.statusCode ?? 0,
        headers: Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
        ),
        body,
      }),
    );
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}
