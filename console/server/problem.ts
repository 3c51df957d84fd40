/**
 * An answer of the console itself, in the form of the service's errors (RFC 9457), so that the page reads both alike.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }

  toBody() {
    const { status, code, message: detail } = this;
    return { title: detail, status, detail, code, request_id: '' };
  }
}

export const notFound = () => new Refusal(404, 'not_found', 'There is nothing here.');
