import { check } from './checker/check.ts';
import { drive } from './drive.ts';
import { faultsOf } from './faults.ts';
import { startRig } from './harness.ts';
import type { Entry, History, Violation } from './history.ts';

export type Plan = {
  /** Folder of the bundles to serve. */
  bundles: string;
  seed: number;
  ops: number;
  clients: number;
  /** The fraction of calls with a fault. */
  rate: number;
  /** Kills the engine once in this many requests; 0 for never. */
  killEvery: number;
  /** Checks the history once in this many requests, and stops at the first violation. */
  lookEvery?: number;
  onProgress?: (count: number) => void;
};

/** The result of one run on a new service and table. */
export type Outcome = {
  history: History;
  violations: Violation[];
  /** Seconds for the requests only. */
  seconds: number;
  faults: Record<string, number>;
  counts: { calls: number; conflicts: number; staleReads: number; kills: number; ofStream: number };
  /** The last lines of the service's log. */
  log: readonly string[];
};

/** Starts a service, runs the requests, waits for background work, reads the table and checks everything. */
export async function runSegment(plan: Plan): Promise<Outcome> {
  const { bundles, seed, ops, clients, rate, killEvery, lookEvery = 0, onProgress } = plan;
  const faults = faultsOf(seed, rate);
  const rig = await startRig({
    bundles,
    seed,
    choose: faults.choose,
    chooseAtEnd: faults.chooseForFollower,
  });
  try {
    const { url, projects } = rig;
    const names = projects.map(({ project_id }) => project_id);
    const so = (entries: readonly Entry[], scan?: History['scan']): History => ({
      entries,
      scan,
      projects: names,
    });
    let killing = Promise.resolve();
    let found: Violation[] = [];
    const began = performance.now();
    const entries = await drive({
      url,
      projects,
      seed,
      ops,
      clients,
      onEntry: (all, underWay) => {
        onProgress?.(all.length);
        if (killEvery > 0 && all.length % killEvery === 0)
          killing = killing.then(() => rig.nemesis.kill());
        // Requests in flight may have been executed already.
        if (found.length === 0 && lookEvery > 0 && all.length % lookEvery === 0)
          found = check(so([...all, ...underWay]));
        return found.length > 0;
      },
    });
    const seconds = (performance.now() - began) / 1_000;
    await killing;
    let history = so(entries);
    if (found.length === 0) {
      await rig.settle();
      const scan = await rig.scan();
      history = so(entries, { ...scan, at: performance.now() });
      found = check(history);
    }
    const { calls, conflicts, staleReads } = rig.proxy.counts;
    return {
      history,
      violations: found,
      seconds,
      faults: faults.counts,
      counts: {
        ...{ calls, conflicts, staleReads },
        kills: rig.nemesis.kills(),
        ofStream: faults.ofStream(),
      },
      log: rig.log,
    };
  } finally {
    await rig.close();
  }
}
