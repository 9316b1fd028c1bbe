/**
 * A node's life at random, over real HTTP: statuses, probes, ends, deletions, namesakes, static pods and their mirrors,
 * other writers, a watch that stalls, a server that fails in every way. Then all of that stops, and everything has to
 * come to rest: the server has what merging makes of the cache, the versions say so, nobody asks for anything any
 * more, and no slot is left over.
 *
 * On the way: what the server has of a pod never goes back, and a pod has at most one PATCH under way.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { canBeDeleted } from '../../src/kube/can-be-deleted.js';
import { isPodStatusByKubeletEqual } from '../../src/kube/equal.js';
import { type Gates, defaultGates, upstream, withGates } from '../../src/kube/gates.js';
import { mergePodStatus } from '../../src/kube/merge.js';
import { normalizeStatus } from '../../src/kube/normalize.js';
import type { Pod, PodStatus, PodUID } from '../../src/kube/types.js';
import type { StatusClient, VersionedPodStatus } from '../../src/status/index.js';
import { random } from '../support/seed.js';
import { StatusRig, ready } from '../support/status-rig.js';

const NAMES = 12;
const STATIC_NAMES = 3;
const STEPS = 250;
const PERIOD_MS = 20;
/** Far more than anything here needs once nothing goes wrong any more. */
const PATIENCE_MS = 20_000;

const GATES: readonly Gates[] = [
  defaultGates,
  defaultGates,
  withGates(defaultGates, { PatchFirst: false }),
  withGates(defaultGates, { RememberNotFound: false }),
  upstream('1.29'),
];

const annotations = { 'kubernetes.io/config.source': 'file', 'kubernetes.io/config.hash': 'h' };
const mirrored = { metadata: { annotations: { ...annotations, 'kubernetes.io/config.mirror': 'h' } } };
const containerID = (name: string): string => `sim://${name}`;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export async function statusLife(seed: number): Promise<void> {
  const life = await Life.begin(seed);
  try {
    for (let step = 0; step < STEPS; step++) await life.step();
    await life.calmDown();
    await life.comesToRest();
    await life.leavesNothing();
  } finally {
    await life.end();
  }
}

/** Counts what the manager asks for, and sees that no pod has two PATCHes under way. */
class Watched {
  requests = 0;
  failures = 0;
  wrong: string | null = null;
  readonly #patching = new Set<string>();

  wrap(client: StatusClient): StatusClient {
    return {
      getPod: (...args) => this.#count(client.getPod(...args)),
      deletePod: (...args) => this.#count(client.deletePod(...args)),
      patchPodStatus: (namespace, name, patch, signal) => {
        const uid = (JSON.parse(patch) as Pod).metadata.uid!;
        if (this.#patching.has(uid)) this.wrong ??= `two PATCHes of ${name} (${uid}) at once`;
        this.#patching.add(uid);
        const call = client.patchPodStatus(namespace, name, patch, signal);
        return this.#count(call).finally(() => this.#patching.delete(uid));
      },
    };
  }

  async #count<T>(call: Promise<T>): Promise<T> {
    this.requests++;
    try {
      return await call;
    } catch (error) {
      this.failures++;
      throw error;
    }
  }
}

class Life {
  readonly #rig: StatusRig;
  readonly #gates: Gates;
  readonly #faithful: boolean;
  readonly #watched: Watched;
  readonly #draw: (below: number) => number;
  readonly #statics = new Map<string, Pod>();
  /** Of each status reported, in its message: what the server has may only grow. */
  #count = 0;
  /** What may each be a reason to send one pod once. */
  #causes = 0;

  private constructor(
    rig: StatusRig,
    gates: Gates,
    faithful: boolean,
    watched: Watched,
    draw: (below: number) => number,
  ) {
    this.#rig = rig;
    this.#gates = gates;
    this.#faithful = faithful;
    this.#watched = watched;
    this.#draw = draw;
    this.#watchOrder();
  }

  static async begin(seed: number): Promise<Life> {
    const draw = random(seed);
    const faithful = draw(6) === 0;
    const gates = faithful ? upstream('1.29') : GATES[draw(GATES.length)];
    const watched = new Watched();
    const late: { rig?: StatusRig } = {};
    const rig = await StatusRig.start({
      gates,
      faithful,
      concurrency: 1 + draw(16),
      ...(draw(2) === 0 ? { qps: 2000, burst: 1 + draw(20) } : {}),
      backoff: { initialMs: 1, maxMs: 1 + draw(16) },
      random: () => draw(1000) / 1000,
      syncPeriodMs: PERIOD_MS,
      // Slots that leak are missed soon: there are twice as many and 64.
      maxPods: NAMES + STATIC_NAMES,
      watchIsFresh: () => late.rig!.follow,
      wrap: (client) => watched.wrap(client),
      server: { seed },
    });
    late.rig = rig;
    return new Life(rig, gates, faithful, watched, draw);
  }

  async end(): Promise<void> {
    await this.#rig[Symbol.asyncDispose]();
  }

  async step(): Promise<void> {
    const { manager, podManager, running } = this.#rig;
    const pods = podManager.getPods();
    const pod = pods[this.#draw(Math.max(1, pods.length))];
    const what = this.#draw(100);
    if (pod === undefined || what < 8) await this.#create();
    else if (what < 50) this.#report(pod);
    else if (what < 60) this.#probe(pod);
    else if (what < 65) this.#terminate(pod);
    else if (what < 70) await this.#delete(pod, this.#draw(2) === 0);
    else if (what < 73) manager.removeOrphanedStatuses(this.#someUIDs(pods));
    else if (what < 77) await this.#meddle(pod);
    else if (what < 80) await this.#mirror();
    else if (what < 84) this.#misbehave();
    else if (what < 86) this.#rig.server.faults.clear();
    else if (what < 88) this.#stallOrResume();
    else if (what < 90) running.add(pod.metadata.uid!);
    else if (what < 93) running.clear();
    else for (let turns = this.#draw(30); turns > 0; turns--) await turn();
    this.#check();
  }

  /** Nothing goes wrong from here on, and everybody knows what there is. */
  async calmDown(): Promise<void> {
    const { server, running, manager, podManager } = this.#rig;
    server.faults.clear();
    running.clear();
    this.#resume();
    manager.removeOrphanedStatuses(new Set(podManager.getPods().map(({ metadata }) => metadata.uid!)));
  }

  async comesToRest(): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (let wrong = await this.#unsettled(); wrong !== null; wrong = await this.#unsettled()) {
      this.#check();
      if (Date.now() > deadline) throw new Error(`it does not come to rest: ${wrong}`);
      await sleep(PERIOD_MS / 2);
    }
    const { requests, failures } = this.#watched;
    if (!this.#gates.ReconcileMerged) return;
    const most = 3 * (this.#causes + failures);
    if (requests > most) throw new Error(`${requests} requests for ${most / 3} reasons`);
    await sleep(5 * PERIOD_MS);
    await this.#rig.manager.idle();
    if (this.#watched.requests > requests)
      throw new Error(`${this.#watched.requests - requests} requests at rest`);
  }

  async leavesNothing(): Promise<void> {
    const { manager, podManager } = this.#rig;
    manager.removeOrphanedStatuses(new Set());
    podManager.setPods([]);
    // Upstream's versions go with the next pass.
    const deadline = Date.now() + PATIENCE_MS;
    while (manager.versions.size > 0) {
      if (Date.now() > deadline) throw new Error(`slots left:\n${manager.versions.dump()}`);
      await sleep(PERIOD_MS / 2);
    }
    const { unsynced } = await manager.stop();
    if (unsynced !== 0) throw new Error(`${unsynced} unsynced of nothing`);
  }

  /** What is not as it should be in the end; null if all is. */
  async #unsettled(): Promise<string | null> {
    const { manager, podManager } = this.#rig;
    await manager.idle();
    for (const [uid, entry] of manager.inspect().podStatuses) {
      const mirror = podManager.getMirrorUID(uid);
      if (mirror === '') continue;
      const apiUID = mirror ?? uid;
      const there = this.#stored(entry.podName);
      if (there?.metadata.uid !== apiUID) return `${entry.podName}: the cache has a pod the server has not`;
      const wrong = this.#difference(there, entry);
      if (wrong !== null) return `${entry.podName}: ${wrong}`;
      const version = manager.versions.apiVersion(apiUID);
      // To upstream a status that was removed and set again counts from 1, and its API version does not.
      if (this.#faithful ? version < entry.version : version !== entry.version)
        return `${entry.podName}: version ${entry.version}, the API's ${version}`;
    }
    return null;
  }

  #difference(there: Pod, entry: VersionedPodStatus): string | null {
    const gates = this.#gates;
    if (canBeDeleted(there, entry.podIsFinished)) return 'it is to be deleted';
    const status = normalizeStatus(there, there.status ?? {}, gates);
    const { merged } = mergePodStatus(status, entry.status, false, Date.now(), gates);
    if (isPodStatusByKubeletEqual(status, merged, gates)) return null;
    return `${JSON.stringify(status)} instead of ${JSON.stringify(merged)}`;
  }

  #check(): void {
    if (this.#watched.wrong !== null) throw new Error(this.#watched.wrong);
  }

  /** Of one pod, a later report may never be followed by an earlier one. */
  #watchOrder(): void {
    const last = new Map<string, number>();
    this.#rig.server.store.subscribe(({ plural, object }) => {
      if (plural !== 'pods') return;
      const { metadata, status } = object as Pod;
      const count = Number(status?.message ?? 0);
      if (count < (last.get(metadata.uid!) ?? 0)) {
        this.#watched.wrong ??= `${metadata.name} went back from ${last.get(metadata.uid!)} to ${count}`;
      }
      last.set(metadata.uid!, count);
    });
  }

  #report(pod: Pod): void {
    const { name } = pod.metadata;
    const isReady = this.#draw(2) === 0;
    const phase = this.#draw(12) === 0 ? 'Failed' : 'Running';
    const status: PodStatus = {
      phase,
      message: String(++this.#count),
      conditions: ready(isReady ? 'True' : 'False'),
      containerStatuses: [{ name: 'a', containerID: containerID(name!), ready: isReady, restartCount: 0 }],
    };
    this.#causes++;
    this.#rig.manager.setPodStatus(pod, status);
  }

  #probe({ metadata: { uid, name } }: Pod): void {
    this.#causes++;
    const method = this.#draw(2) === 0 ? 'setContainerReadiness' : 'setContainerStartup';
    this.#rig.manager[method](uid as PodUID, containerID(name!), this.#draw(2) === 0);
  }

  /** Only with a status: without one the end is made of the pod at hand, which may be an old one. */
  #terminate(pod: Pod): void {
    const { manager } = this.#rig;
    if (manager.getPodStatus(pod.metadata.uid as PodUID) === undefined) return;
    this.#causes++;
    manager.terminatePod(pod);
  }

  async #create(): Promise<void> {
    const name = `pod-${this.#draw(NAMES)}`;
    if (this.#stored(name) === undefined) await this.#outside(() => this.#rig.createPod(name));
  }

  /** By force, and then its name is free for another; or in peace, and then the manager ends it. */
  async #delete({ metadata: { name, uid } }: Pod, force: boolean): Promise<void> {
    if (this.#statics.has(name!)) return;
    const query = force ? '?gracePeriodSeconds=0' : '';
    await this.#outside(() => this.#rig.ask('DELETE', `/api/v1/namespaces/default/pods/${name}${query}`));
    if (force && this.#draw(2) === 0) await this.#outside(() => this.#rig.createPod(name!));
    const deleting = this.#rig.podManager.getPodByUID(uid as PodUID);
    if (!force && deleting !== undefined) this.#terminate(deleting);
  }

  async #meddle({ metadata: { name } }: Pod): Promise<void> {
    const status = this.#draw(2) === 0 ? { phase: 'Pending' } : { conditions: ready('False') };
    await this.#outside(() => this.#rig.meddle(name!, status));
  }

  /** A static pod comes; or its mirror does, or goes. */
  async #mirror(): Promise<void> {
    const name = `static-${this.#draw(STATIC_NAMES)}`;
    if (!this.#statics.has(name)) {
      const pod: Pod = {
        metadata: { name, namespace: 'default', uid: `uid-${name}`, annotations },
        spec: { containers: [{ name: 'a' }] },
      };
      this.#statics.set(name, pod);
      this.#rig.podManager.addPod(pod);
    } else if (this.#stored(name) === undefined) {
      await this.#outside(() => this.#rig.createPod(name, mirrored));
    } else {
      const path = `/api/v1/namespaces/default/pods/${name}?gracePeriodSeconds=0`;
      await this.#outside(() => this.#rig.ask('DELETE', path));
    }
  }

  #misbehave(): void {
    const { faults } = this.#rig.server;
    const probability = 0.1 + this.#draw(5) / 10;
    const options = { probability, times: 1 + this.#draw(30) };
    const kinds = [
      () => faults.fail({ code: [400, 404, 409, 422, 500, 503][this.#draw(6)] }, options),
      () => faults.fail({ code: 500 }, { ...options, at: 'after' }),
      () => faults.fail({ code: 429, retryAfterSeconds: 0 }, options),
      () => faults.drop((['before', 'after', 'half'] as const)[this.#draw(3)], options),
      () => faults.delay({ min: 0, max: 5 }, { ...options, at: this.#draw(2) === 0 ? 'before' : 'after' }),
    ];
    kinds[this.#draw(kinds.length)]();
  }

  #stallOrResume(): void {
    if (this.#rig.follow) this.#rig.follow = false;
    else this.#resume();
  }

  /** As a watch after a break: everything is listed anew. */
  #resume(): void {
    const { server, podManager } = this.#rig;
    const listed = server.store.list('pods', '').map((pod) => structuredClone(pod) as Pod);
    this.#causes += listed.length + this.#statics.size;
    podManager.setPods([...this.#statics.values(), ...listed]);
    this.#rig.follow = true;
  }

  #someUIDs(pods: readonly Pod[]): Set<string> {
    const kept = pods.filter(() => this.#draw(4) > 0);
    return new Set(kept.map(({ metadata }) => metadata.uid!));
  }

  #stored(name: string): Pod | undefined {
    return this.#rig.server.store.get('pods', `default/${name}`);
  }

  /** Somebody else's request, which may fail like any other. */
  async #outside(work: () => Promise<unknown>): Promise<void> {
    this.#causes += 2;
    await work().catch(() => undefined);
  }
}
