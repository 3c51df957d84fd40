import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { routes } from '#shared/contract/api.ts';
import { checker, type Document } from './document.ts';
import { anyDraft, type Draft, fittingDraft } from './drafts.ts';
import { learn } from './learn.ts';
import { resolve, type Sent } from './resolve.ts';
import { readMails, type Scene } from './scene.ts';
import { Scenes } from './scenes.ts';
import { type Response, toCurl } from './send.ts';
import type { Finding, Target } from './target.ts';

export type Options = {
  requests: number;
  seed: number;
  /** Concurrent requests. */
  concurrency: number;
  /** The number of requests after which a new scene is created. */
  sceneEvery: number;
  /** Called between two batches, when no request is in flight. */
  between?: (done: number) => Promise<void>;
};

export type Report = {
  requests: number;
  /** Milliseconds, without the work between batches. */
  time: number;
  statuses: Map<number, number>;
  /** By operation, without the requests that only created the scenes. */
  operations: Map<string, { requests: number; successes: number; refused: number }>;
  /** Successful requests with an API key, by the key's owner. */
  byKeys: { user: number; workspace: number };
  findings: Finding[];
};

/** Requests generated and sent between two reads of the mails. */
const batchSize = 250;
const maxFindings = 10;
/** Attempts with fitting requests before an operation counts as never successful. */
const tries = 25;
/** Operations that need a mailed code or token. */
const mailed = /^(?:codes\.verify|links\.(?:showCode|signIn)|emails\.confirm|passwords\.set)$/;

/** Sends generated requests and checks every response. The same seed generates the same requests. */
export class Fuzzer {
  readonly report: Report = {
    requests: 0,
    time: 0,
    statuses: new Map(),
    operations: new Map(),
    byKeys: { user: 0, workspace: 0 },
    findings: [],
  };
  private readonly options: Options;
  private readonly check: ReturnType<typeof checker>;
  private target: Target;
  private readonly scenes: Scenes;

  constructor(target: Target, document: Document, options: Options) {
    this.target = target;
    this.options = options;
    this.check = checker(document);
    this.scenes = new Scenes(
      target,
      (request) => this.exchange({ request }),
      (finding) => this.report.findings.push(finding),
    );
  }

  /** Continues with another service or table, without knowledge of it. */
  async begin(target: Target): Promise<void> {
    this.target = target;
    await this.scenes.begin(target);
  }

  /** Sends requests of every operation until one succeeds, in separate scenes. */
  async parade(): Promise<void> {
    // Operations that end or delete something come last.
    const ends = (name: string) =>
      Number(/\.(?:delete|remove|end|endAll|endByEmail|revoke|signOut|unlink)$/.test(name));
    for (const route of routes.toSorted((a, b) => ends(a.name) - ends(b.name))) {
      const drafts = fc.sample(fittingDraft(route), { numRuns: tries, seed: this.options.seed });
      for (const [i, draft] of drafts.entries()) {
        if (this.successes(route.name) > 0) break;
        // Users of a new scene have unused mails and no other changes.
        const needsMail = i > 0 && mailed.test(route.name);
        if (needsMail || i % 5 === 4) await this.scenes.add();
        if (needsMail) await this.scenes.askForMails();
        draft.scene = this.scenes.all.length - 1;
        await this.sendDraft(draft, () => this.replay(fittingDraft(route), this.options.seed, i));
      }
    }
  }

  /** Generated requests, as many as the options request, starting at `from`. */
  async run(from: number, to: number): Promise<void> {
    const { seed, concurrency, sceneEvery, between } = this.options;
    for (let done = from; done < to; done += batchSize) {
      if (done % sceneEvery < batchSize) {
        await this.scenes.add();
        await this.scenes.askForMails();
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
      await readMails(this.scenes.all, this.target);
      if (this.report.findings.length >= maxFindings) return;
      await between?.(done + batchSize);
    }
  }

  private successes(operation: string): number {
    return this.report.operations.get(operation)?.successes ?? 0;
  }

  private async sendDraft(draft: Draft, shrink: () => Promise<Sent | undefined>): Promise<void> {
    const scene = this.scenes.all[draft.scene % this.scenes.all.length] as Scene;
    const sent = resolve(draft, scene, this.scenes.foreign, this.target);
    const { response, flaws } = await this.exchange(sent);
    const found = {
      requests: 0,
      successes: 0,
      refused: 0,
      ...this.report.operations.get(draft.operation),
    };
    found.requests += 1;
    if (response.status < 300 && draft.caller.as === 'key')
      this.report.byKeys[draft.caller.of] += 1;
    if (response.status < 400) found.successes += 1;
    else found.refused += 1;
    this.report.operations.set(draft.operation, found);
    if (response.status < 400 && this.check.routeOf(sent.request)?.name === draft.operation)
      learn(sent, draft.operation, response);
    if (flaws.length === 0 || this.report.findings.length >= maxFindings) return;
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

  /** An overloaded machine may be late for some time; a failed service stays failed. */
  private async comesAgain(sent: Sent): Promise<boolean> {
    for (let i = 0; i < 5; i += 1) {
      await sleep(200 * 2 ** i);
      if ((await this.exchange(sent)).response.status !== 503) return false;
    }
    return true;
  }

  private shown = ({ request }: Sent): string => toCurl(this.target.url, request);

  /** Repeats a request and shrinks it while its response is wrong. */
  private async replay(
    drafts: fc.Arbitrary<Draft>,
    seed: number,
    at: number,
  ): Promise<Sent | undefined> {
    const scene = this.scenes.newest;
    const sentFor = (draft: Draft) => resolve(draft, scene, this.scenes.foreign, this.target);
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
}

/** The operations of the contract without a successful request. */
export const unreached = ({ operations }: Report): string[] =>
  routes
    .map(({ name }) => name as string)
    .filter((name) => !atProvider.has(name) && !operations.get(name)?.successes);

/** Operations that succeed only after a sign-in at a provider in a browser. */
const atProvider = new Set([
  ...['providers.callback', 'providers.callbackByForm', 'providers.signIn'],
  ...['identities.getToken', 'identities.getTokenOfUser'],
]);
