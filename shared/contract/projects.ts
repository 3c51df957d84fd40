import * as z from 'zod';
import { mfaModes, projectId, workspaceCreations } from '../model/fields.ts';
import { presetNames } from '../model/provider-presets.ts';
import { group } from './route.ts';

/** The public settings of a project, which its pages need. Add no other setting: anyone can read them. */
const publicProject = z
  .object({
    project_id: projectId,
    name: z.string(),
    branding: z
      .object({
        logo: z.string().optional().meta({ description: 'A data: URL.' }),
        color: z.string().optional().meta({ example: '#0055ff' }),
        links: z
          .object({
            home: z.string().optional(),
            terms: z.string().optional(),
            privacy: z.string().optional(),
            support: z.string().optional(),
          })
          .optional(),
      })
      .optional(),
    sign_up: z.boolean().meta({ description: 'Whether users may sign up by themselves.' }),
    workspace_creation: z.enum(workspaceCreations).meta({
      description:
        'Who may create workspaces besides the backend: nobody, users with a verified e-mail, or every user.',
    }),
    workspace_roles: z.boolean().meta({
      description: 'Whether workspaces may define roles of their own.',
    }),
    methods: z.object({
      password: z.boolean(),
      passkey: z.boolean(),
      code: z.boolean().meta({ description: 'Whether users sign in with a mailed code.' }),
      link: z.boolean().meta({ description: 'Whether users sign in with a mailed link.' }),
      identity_providers: z.array(
        z.object({
          name: z.string().meta({ description: 'provider of POST /sessions/identity.' }),
          issuer: z.string(),
          client_ids: z.array(z.string()),
          authorization_endpoint: z.string().optional().meta({
            description:
              'The URL to which the hosted pages send users to sign in, for the first client id.',
          }),
        }),
      ),
      sign_in_providers: z
        .array(z.object({ name: z.string(), preset: z.enum(presetNames) }))
        .meta({ description: 'The providers of `GET /oauth/{provider}/start`, by name.' }),
    }),
    mfa: z
      .enum(mfaModes)
      .meta({ description: 'Whether users may, or must, have a second factor.' }),
    min_password_length: z.int(),
  })
  .meta({ id: 'PublicProject' });

export const projects = group('projects', {
  get: {
    method: 'GET',
    path: '/projects/{project_id}',
    summary: 'The settings that a sign-in page shows, for a project that has hosted pages.',
    auth: [],
    params: z.strictObject({ project_id: projectId }),
    response: publicProject,
    errors: ['not_found'],
    cache: 'public, max-age=60',
  },
});
