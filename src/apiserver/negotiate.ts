/** Which form of an answer a client accepts. There is one: plain JSON. */
import { noSuchForm, notAcceptable } from './status-error.js';

const KNOWN = new Set(['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']);

/** `streams`: the path can be watched, and so has the media types of a watch. */
export function checkAccept(accept: string | undefined, streams: boolean): void {
  if (accept === undefined || accept === 'application/json' || accept === '*/*' || accept === '') return;
  let isKnown = false;
  for (const clause of accept.split(',')) {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
    if (type === '*/*') return;
    if (!KNOWN.has(type)) continue;
    isKnown = true;
    if (type === 'application/json' && !parameters.some((parameter) => parameter.startsWith('as='))) return;
  }
  throw isKnown ? noSuchForm() : notAcceptable(streams);
}
