import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { routes } from '#shared/contract/api.ts';
import { checker, type Document } from './document.ts';
import { anyDraft, type Draft, fittingDraft } from './drafts.ts';
import { learn } from './learn.ts';
import { resolve, type Sent } from './resolve.ts';
import {
  bearer,
  type Call,
  goodPassword,
  makeScene,
  readMails,
  type Scene,
  sessionOf,
} from './scene.ts';
import { type Response, toCurl } from './send.ts';
import { basic, type Target } from './target.ts';

export type Options = {
  requests: number;
  seed: number;
  /** Requests under way at a time. */
  concurrency: number;
  /** Requests after which people and a workspace are made anew. */
  sceneEvery: number;
  /** Called between two batches, when no request is under way. */
  between?: (done: number) => Promise<void>;
};

/** A request whose answer is wrong, as it was sent first and as small as it could be made. */
export type Finding = { operation: string; flaws: string[]; request: string; smallest: string };

export type Report = {
  requests: number;
  /** Milliseconds, without what was done between two batches. */
  time: number;
  statuses: Map<number, number>;
  /** By operation; without those requests that only made the scenes. */
  operations: Map<string, { requests: number; successes: number; refused: number }>;
  findings: Finding[];
};

/** How many requests are generated, and sent, between two looks at the mails. */
const batchSize = 250;
const mostFindings = 10;
/** How often a fitting request is tried before an operation counts as one that never succeeds. */
const tries = 25;
/** How often a scene is made anew where a call of its making fails. */
const scenesTried = 8;
/** Operations that take what was mailed. */
const mailed = /^(?:codes\.verify|emails\.confirm|passwords\.set)$/;

/** Sends generated requests and checks every answer. The same seed generates the same requests. */
export class Fuzzer {
  readonly report: Report = {
    requests: 0,
    time: 0,
    statuses: new Map(),
    operations: new Map(),
    findings: [],
  };
  private readonly options: Options;
  private readonly check: ReturnType<typeof checker>;
  private target: Target;
  private scenes: Scene[] = [];
  private foreign: Scene | undefined;
  private made = 0;

  constructor(target: Target, document: Document, options: Options) {
    this.target = target;
    this.options = options;
    this.check = checker(document);
  }

  /** Goes on with another service, or another table behind it, of which nothing is known yet. */
  async begin(target: Target): Promise<void> {
    this.target = target;
    const [ours, theirs] = target.projects;
    this.scenes = [];
    this.foreign = await this.newScene({ ...target, projects: [theirs, ours] });
    await this.addScene();
    await this.askForMails();
  }

  /** Every operation, until it succeeds for once, in scenes that nothing else happens to. */
  async parade(): Promise<void> {
    // What ends something comes last.
    const ends = (name: string) =>
      Number(/\.(?:delete|remove|end|endAll|endByEmail|revoke|signOut|unlink)$/.test(name));
    for (const route of routes.toSorted((a, b) => ends(a.name) - ends(b.name))) {
      const drafts = fc.sample(fittingDraft(route), { numRuns: tries, seed: this.options.seed });
      for (const [i, draft] of drafts.entries()) {
        if (this.successes(route.name) > 0) break;
        // Their people have mails that nobody has used, and nothing else has happened to them.
        const needsMail = i > 0 && mailed.test(route.name);
        if (needsMail || i % 5 === 4) await this.addScene();
        if (needsMail) await this.askForMails();
        draft.scene = this.scenes.length - 1;
        await this.sendDraft(draft, () => this.replay(fittingDraft(route), this.options.seed, i));
      }
    }
  }

  /** Generated requests, as many as the options say, `from` which it goes on. */
  async run(from: number, to: number): Promise<void> {
    const { seed, concurrency, sceneEvery, between } = this.options;
    for (let done = from; done < to; done += batchSize) {
      if (done % sceneEvery < batchSize) {
        await this.addScene();
        await this.askForMails();
      }
      const batch = { seed: seed * 1_000_003 + done, numRuns: Math.min(batchSize, to - done) };
      const drafts = fc.sample(anyDraft, batch).entries();
      const began = performance.now();
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          for (const [i, draft] of drafts)
            await this.sendDraft(draft, () => this.replay(anyDraft, batch.seed, i));
        }),
      );
      this.report.time += performance.now() - began;
      await readMails(this.scenes, this.target);
      if (this.report.findings.length >= mostFindings) return;
      await between?.(done + batchSize);
    }
  }

  private successes(operation: string): number {
    return this.report.operations.get(operation)?.successes ?? 0;
  }

  private async sendDraft(draft: Draft, shrink: () => Promise<Sent | undefined>): Promise<void> {
    const scene = this.scenes[draft.scene % this.scenes.length] as Scene;
    const sent = resolve(draft, scene, this.foreign ?? scene, this.target);
    const { response, flaws } = await this.exchange(sent);
    const found = {
      requests: 0,
      successes: 0,
      refused: 0,
      ...this.report.operations.get(draft.operation),
    };
    found.requests += 1;
    if (response.status < 400) found.successes += 1;
    else found.refused += 1;
    this.report.operations.set(draft.operation, found);
    if (response.status < 400 && this.check.routeOf(sent.request)?.name === draft.operation)
      learn(sent, draft.operation, response);
    if (flaws.length === 0 || this.report.findings.length >= mostFindings) return;
    if (response.status === 503 && !(await this.comesAgain(sent))) return;
    const finding: Finding = {
      operation: draft.operation,
      flaws,
      request: this.shown(sent),
      smallest: '',
    };
    this.report.findings.push(finding);
    const smallest = await shrink();
    finding.smallest = smallest ? this.shown(smallest) : 'not again';
  }

  /** A machine that has too much to do can be late for some time; a service that has failed stays so. */
  private async comesAgain(sent: Sent): Promise<boolean> {
    for (let i = 0; i < 5; i += 1) {
      await sleep(200 * 2 ** i);
      if ((await this.exchange(sent)).response.status !== 503) return false;
    }
    return true;
  }

  private shown = ({ request }: Sent): string => toCurl(this.target.url, request);

  /** Sends a request again and makes it smaller for as long as its answer is wrong. */
  private async replay(
    drafts: fc.Arbitrary<Draft>,
    seed: number,
    at: number,
  ): Promise<Sent | undefined> {
    const scene = this.scenes.at(-1) as Scene;
    const sentFor = (draft: Draft) => resolve(draft, scene, this.foreign ?? scene, this.target);
    const { counterexample } = await fc.check(
      fc.asyncProperty(
        drafts,
        async (draft) => (await this.exchange(sentFor(draft))).flaws.length === 0,
      ),
      { seed, path: String(at), numRuns: 1, interruptAfterTimeLimit: 20_000 },
    );
    return counterexample ? sentFor(counterexample[0]) : undefined;
  }

  private async exchange({
    request,
  }: Pick<Sent, 'request'>): Promise<{ response: Response; flaws: string[] }> {
    this.report.requests += 1;
    const { statuses } = this.report;
    try {
      const response = await this.target.send(request);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      return { response, flaws: this.check.flaws(request, response) };
    } catch (error) {
      const response = { status: 0, headers: {}, text: '' };
      statuses.set(0, (statuses.get(0) ?? 0) + 1);
      return { response, flaws: [`no answer: ${String(error)}`] };
    }
  }

  private async addScene(): Promise<void> {
    const before = this.scenes.at(-1);
    const scene = await this.newScene(this.target);
    // They are of the project, not of the people.
    if (before) Object.assign(scene, { webhook_id: before.webhook_id, asset: before.asset });
    this.scenes.push(scene);
    // The few newest: what happens to them is what is looked for.
    this.scenes.splice(0, this.scenes.length - 4);
  }

  /** On a machine that has too much to do a call can fail, or be done without an answer: then another one is made. */
  private async newScene(target: Target): Promise<Scene> {
    for (let tried = 1; ; tried += 1)
      try {
        this.made += 1;
        return await makeScene(this.made, target, this.calling(`127.1.${this.made % 250}.1`));
      } catch (error) {
        if (tried === scenesTried) throw error;
        await sleep(500 * tried);
      }
  }

  /** Has mailed to people of the newest scene what the operations need that take a token, and reads it. */
  private async askForMails(): Promise<void> {
    for (let tried = 1; ; tried += 1)
      try {
        return await this.mailTo(this.scenes.at(-1) as Scene);
      } catch (error) {
        if (tried === scenesTried) throw error;
        await this.addScene();
      }
  }

  private async mailTo(scene: Scene): Promise<void> {
    const { owner, outsider, colleague } = scene.people;
    const { project_id } = this.target.projects[0];
    const call = this.calling(scene.address);
    const started = await call('POST', '/codes', '', { project_id, email: colleague.email });
    scene.challenges.set(colleague.email, started.challenge_id);
    await call('POST', '/passwords/forgotten', '', { project_id, email: owner.email });
    await call('POST', '/users/me/email/verification', bearer(outsider.session));
    const came = () =>
      [owner, outsider].every(({ mailToken }) => mailToken !== undefined) && scene.code;
    for (let i = 0; i < 200 && !came(); i += 1) await readMails([scene], this.target);
    const token = owner.mailToken;
    if (owner.password !== '' || token === undefined) return;
    // It ends the sessions that there were.
    const set = await call('POST', '/passwords', '', { project_id, token, password: goodPassword });
    Object.assign(owner, { password: goodPassword, session: sessionOf(set) });
    const other = await call('POST', '/sessions', basic(this.target.projects[0]), {
      uid: owner.uid,
    });
    owner.other = sessionOf(other);
    await call('POST', '/passwords/forgotten', '', { project_id, email: owner.email });
    for (let i = 0; i < 200 && owner.mailToken === token; i += 1)
      await readMails([scene], this.target);
  }

  private calling(from: string): Call {
    return async (method, path, authorization, body) => {
      const request = {
        ...{ method, path, from },
        headers: {
          ...(authorization !== '' && { authorization }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      };
      const { response, flaws } = await this.exchange({ request });
      if (flaws.length > 0 && response.status !== 503)
        this.report.findings.push({
          operation: `${method} ${path}`,
          flaws,
          request: toCurl(this.target.url, request),
          smallest: '',
        });
      if (response.status >= 300)
        throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
      return JSON.parse(response.text);
    };
  }
}

/** The operations of the contract that none of these requests did. */
export const unreached = ({ operations }: Report): string[] =>
  routes.map(({ name }) => name as string).filter((name) => !operations.get(name)?.successes);
