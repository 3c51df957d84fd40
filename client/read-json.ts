/**
 * Reads the body of an answer of the service or the cookie handler; undefined for an error, or a 204, without JSON.
 * @throws TypeError, as for a broken connection, for another success without JSON. It is of somebody in between, such as
 *   a CDN that answers errors with the page of the application, or a login to the network: nothing has been done.
 */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    if (response.ok && response.status !== 204) throw new TypeError('The answer is no JSON.');
    return undefined;
  }
}
