/**
 * The fields of a pod status that this code knows, what each may hold, and how to find others.
 *
 * The order is that of Go's structs, so of an API server's JSON; copies have all fields in this order. Looking for
 * fields that are not known is then one comparison a field.
 */
import { isTimeText } from './time.js';

/** What a field may hold. Absent or null is always right: Go's decoder leaves the zero value there. */
export interface Kind {
  readonly what: string;
  readonly fits: (value: unknown) => boolean;
}

export const isText = (value: unknown): value is string | null | undefined =>
  typeof value === 'string' || value === undefined || value === null;

export const isTime = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || (typeof value === 'string' && isTimeText(value));

export const isFlag = (value: unknown): value is boolean | null | undefined =>
  typeof value === 'boolean' || value === undefined || value === null;

export const isInt32 = (value: unknown): value is number | null | undefined =>
  value === undefined || value === null || (typeof value === 'number' && (value | 0) === value);

const text: Kind = { what: 'a string', fits: isText };
const time: Kind = { what: 'an RFC 3339 time or null', fits: isTime };
const flag: Kind = { what: 'true or false', fits: isFlag };
const int32: Kind = { what: 'a 32-bit integer', fits: isInt32 };
/** A list or an object, which is looked at on its own. */
const nested: Kind = { what: 'anything', fits: () => true };

export class Fields {
  readonly kinds: Readonly<Record<string, Kind>>;
  readonly names: readonly string[];
  private readonly places: ReadonlyMap<string, number>;

  constructor(kinds: Readonly<Record<string, Kind>>) {
    this.kinds = kinds;
    this.names = Object.keys(kinds);
    this.places = new Map(this.names.map((name, place) => [name, place]));
  }

  has(name: string): boolean {
    return this.places.has(name);
  }

  /** Whether the object has no other fields than these. One that is inherited may make it false, never true. */
  coverAll(object: object): boolean {
    const { names } = this;
    let next = 0;
    for (const name in object) {
      if (name === names[next]) {
        next++;
        continue;
      }
      const place = this.places.get(name);
      if (place === undefined) return false;
      next = place + 1;
    }
    return true;
  }
}

export const podStatusFields = new Fields({
  phase: text,
  conditions: nested,
  message: text,
  reason: text,
  nominatedNodeName: text,
  hostIP: text,
  hostIPs: nested,
  podIP: text,
  podIPs: nested,
  startTime: time,
  initContainerStatuses: nested,
  containerStatuses: nested,
  qosClass: text,
  ephemeralContainerStatuses: nested,
  resize: text,
  resourceClaimStatuses: nested,
});

export const conditionFields = new Fields({
  type: text,
  status: text,
  lastProbeTime: time,
  lastTransitionTime: time,
  reason: text,
  message: text,
});

export const containerStatusFields = new Fields({
  name: text,
  state: nested,
  lastState: nested,
  ready: flag,
  restartCount: int32,
  image: text,
  imageID: text,
  containerID: text,
  started: flag,
  allocatedResources: nested,
  resources: nested,
});

export const stateFields = new Fields({ waiting: nested, running: nested, terminated: nested });
export const waitingFields = new Fields({ reason: text, message: text });
export const runningFields = new Fields({ startedAt: time });

export const terminatedFields = new Fields({
  exitCode: int32,
  signal: int32,
  reason: text,
  message: text,
  startedAt: time,
  finishedAt: time,
  containerID: text,
});

export const resourcesFields = new Fields({ limits: nested, requests: nested, claims: nested });
export const claimFields = new Fields({ name: text });
export const ipFields = new Fields({ ip: text });
export const resourceClaimFields = new Fields({ name: text, resourceClaimName: text });
