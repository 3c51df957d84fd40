import { afterAll } from 'vitest';
import { startConsole } from '../../console/server/serve.ts';
import { serve } from '../support/serve.ts';
import { startWorld } from '../support/world.ts';
import type { Opened } from './browser.ts';

/** A service with a console. */
export async function startConsoleStage(settings: object = {}) {
  const world = await startWorld({ interval: 50 });
  const operator = await startConsole({
    port: 0,
    service: world.url,
    operate: world.operate,
    pause: 1_100,
  });
  afterAll(() => operator.close());
  const project = await world.newProject({ name: 'Acme', impersonation: 'on', ...settings });
  const { origin, address } = operator;

  /** Opens the console by its sign-in address, then the given path. */
  async function enter(opened: Opened, path = '/'): Promise<Opened> {
    const { page, problems } = opened;
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !/^(?:data|about):/.test(request.url()))
        problems.push(`asked elsewhere: ${request.url()}`);
    });
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    if (path !== '/') await page.goto(`${origin}${path}`);
    return opened;
  }
  /** The path of a view of the project. */
  const at = (view = '') => `/projects/${project.project_id}${view}`;
  /** Runs all pending background work: the stream, and schedules that are due within a minute. */
  async function settle(): Promise<void> {
    await world.drainStream();
    await world.schedules.runDue(Date.now() + 60_000);
    await world.drainStream();
  }

  return { world, project, origin, address, enter, at, settle };
}

export const dialog = ({ page }: Opened) => page.getByRole('dialog');
/** Presses a button of the dialog. */
export const confirm = (opened: Opened, name: string) =>
  dialog(opened).getByRole('button', { name, exact: true }).click();

/** A webhook receiver that records events and answers with a configurable status. */
export async function startReceiver() {
  const got: { type: string; id: string }[] = [];
  let status = 204;
  const url = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { type, id } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as (typeof got)[0];
      got.push({ type, id });
      response.writeHead(status).end();
    });
  });
  return { url, got, answer: (next: number) => (status = next) };
}
