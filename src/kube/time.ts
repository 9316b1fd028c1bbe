/** Times as the wire has them: RFC 3339 in, whole seconds UTC out. */
import { PodloomError } from '../observe/errors.js';
import type { Time } from './types.js';

const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.,]\d+)?(?:(Z)|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const ZERO = '0001-01-01T00:00:00Z';
const Z = 0x5a;

/** The time cut to whole seconds, in UTC; null for Go's zero time. */
export function secondsOf(time: Time | undefined): Time {
  if (time === null || time === undefined || time === ZERO) return null;
  if (time.length === ZERO.length && time.charCodeAt(ZERO.length - 1) === Z) return time;
  const parts = RFC3339.exec(time);
  const local = parts === null ? Number.NaN : Date.parse(`${parts[1]}Z`);
  if (parts === null || Number.isNaN(local)) {
    throw new PodloomError('ERR_BAD_TIME', `${JSON.stringify(time)} is no RFC 3339 time`);
  }
  const minutes = parts[2] === 'Z' ? 0 : Number(parts[4]) * 60 + Number(parts[5]);
  const utc = local - (parts[3] === '-' ? -minutes : minutes) * 60_000;
  const text = `${new Date(utc).toISOString().slice(0, 19)}Z`;
  return text === ZERO ? null : text;
}
