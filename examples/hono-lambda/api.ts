import type { APIGatewayProxyEventV2WithJWTAuthorizer } from 'aws-lambda';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { ApiError, type Claims, forHono } from 'identity-workspace-client/server';
import { backend } from './backend.ts';

type Env = {
  Bindings: { event: APIGatewayProxyEventV2WithJWTAuthorizer };
  Variables: { claims: Claims };
};

const app = new Hono<Env>();

// The gateway has verified the token, so nothing is left to do.
app.get('/me', (c) => {
  const { sub, email } = c.env.event.requestContext.authorizer.jwt.claims;
  return c.json({ uid: sub, email });
});

// The token may outlive its session by 10 minutes. Here that is too long: this asks the service.
app.post('/payments', forHono(backend, { exact: true }), (c) =>
  c.json({ paid_by: c.get('claims').sub }, 201),
);

// The role in a token is as old as the token, and that of the active workspace only: ask the service.
app.get('/workspaces/:workspace_id/secret', forHono(backend), async (c) => {
  const input = { workspace_id: c.req.param('workspace_id'), user_id: c.get('claims').sub };
  const member = await backend.api.members.get(input).catch((error: unknown) => {
    // 404: not a member. Anything else, such as a service that is away, says nothing about that.
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
  if (!member || member.body.suspended) return c.json({ code: 'not_found' }, 404);
  return c.json({ role: member.body.role });
});

export const handler = handle(app);
