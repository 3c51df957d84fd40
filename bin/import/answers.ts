import type { FieldError } from '../../shared/model/errors.ts';
import type { Answer, ProjectApi } from '../transfer/project-api.ts';
import { requireOk } from '../transfer/require-ok.ts';
import type { Subject } from './line-fields.ts';

/** The item of a list with at most one; undefined if the searched value is malformed, or too long for a URL. */
export async function findOne(
  api: ProjectApi,
  path: string,
): Promise<Record<string, unknown> | undefined> {
  const answer = await api.call('GET', path);
  // A malformed e-mail or id, or one too long for a URL, belongs to nobody.
  if ([400, 413, 414, 431].includes(answer.status)) return undefined;
  return requireOk<{ result: Record<string, unknown>[] }>(answer, `GET ${path}`).result[0];
}

/** The workspace with this external id. */
export const findWorkspace = (
  api: ProjectApi,
  external_id: string,
): Promise<Record<string, unknown> | undefined> =>
  findOne(api, `/workspaces?external_id=${encodeURIComponent(external_id.toWellFormed())}`);

export const codeOf = ({ body }: Answer): string => (body as { code?: string }).code ?? '';

/** Why a request was rejected, for the file of errors; empty if it was not. */
export function problemsOf({ status, body }: Answer, subject: Subject): string[] {
  if (status < 400) return [];
  const {
    errors = [],
    detail = '',
    code = status,
  } = body as { errors?: FieldError[]; detail?: string; code?: string };
  if (errors.length === 0) return [`${subject.what}: ${code}: ${detail}`];
  return errors.map((error) => sentenceOf(subject, error));
}

/** An error of a request, with the field of the line. */
export function sentenceOf({ what, fieldOf }: Subject, { pointer, detail }: FieldError): string {
  const [, , ...field] = pointer.split('/');
  return `${field.length > 0 ? fieldOf(field.join('/')) : what}: ${detail}`;
}
