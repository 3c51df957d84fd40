import type { Format } from './format.ts';
import { auth0 } from './from-auth0.ts';
import { betterAuth } from './from-better-auth.ts';
import { clerk } from './from-clerk.ts';
import { cognito } from './from-cognito.ts';
import { firebase } from './from-firebase.ts';
import { logto } from './from-logto.ts';
import { csv, jsonl } from './from-rows.ts';
import { stackAuth } from './from-stack-auth.ts';
import { supabase } from './from-supabase.ts';
import { workos } from './from-workos.ts';

/** The formats of `--from`. */
export const formats: Readonly<Record<string, Format>> = {
  clerk,
  auth0,
  cognito,
  firebase,
  supabase,
  'better-auth': betterAuth,
  workos,
  logto,
  'stack-auth': stackAuth,
  jsonl,
  csv,
};
