import { forLambda } from 'identity-workspace-client/server';
import { backend } from './backend.ts';

/** A function without a framework, which verifies the token itself: it is as safe behind a gateway that does not. */
export const handler = forLambda(backend, async (_event, { sub }) => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ report_of: sub }),
}));
