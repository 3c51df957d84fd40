import { App } from 'aws-cdk-lib';
import { ExampleStack } from './stack.ts';

new ExampleStack(new App(), 'identity-example', {
  serviceUrl: process.env['SERVICE_URL'] ?? 'https://id.example.com',
  projectId: process.env['PROJECT_ID'] ?? 'demo',
});
