import document from '#docs/openapi.json' with { type: 'json' };
import { docs } from '#shared/contract/docs.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(docs.openapi, async () => document);
