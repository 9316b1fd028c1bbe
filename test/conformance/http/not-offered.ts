/**
 * What the embedded API server does not do yet, and how a case that needs it is told. Such a case is skipped with the
 * reason. Whoever adds one of these to the server takes its line away, and the cases count.
 */
import type { HttpCase, Step } from './format.js';

interface Gap {
  readonly reason: string;
  readonly needs: (vector: HttpCase) => boolean;
}

const someStep =
  (matches: (step: Step) => boolean) =>
  ({ steps }: HttpCase): boolean =>
    steps.some(matches);

const header = (step: Step, name: string): string => step.headers?.[name] ?? '';

const GAPS: readonly Gap[] = [
  { reason: 'server-side apply', needs: ({ tags }) => tags.includes('apply') },
  {
    reason: 'kinds other than pods and namespaces',
    needs: someStep(({ path = '' }) =>
      /^\/apis\/.|^\/api\/v1\/(watch\/)?(namespaces\/[^/]+\/)?(nodes|events)\b/.test(path),
    ),
  },
  {
    reason: 'changing and deleting namespaces',
    needs: someStep(
      ({ method, path = '' }) =>
        method !== 'GET' && /^\/api\/v1\/namespaces\/[^/]+(\/finalize|\/status)?$/.test(path),
    ),
  },
  {
    reason: 'subresources other than status',
    needs: someStep(({ path = '' }) =>
      /\/pods\/[^/]+\/(binding|eviction|log|exec|attach|portforward|ephemeralcontainers)$/.test(path),
    ),
  },
  {
    reason: 'Table and PartialObjectMetadata',
    needs: someStep(
      (step) => /as=(Table|Partial)/.test(header(step, 'accept')) && !/v=v9/.test(header(step, 'accept')),
    ),
  },
  {
    reason: 'YAML and protobuf',
    needs: someStep((step) => /^application\/(yaml|vnd\.kubernetes\.protobuf)/.test(header(step, 'accept'))),
  },
  {
    reason: 'discovery and health',
    needs: someStep(({ path = '' }) =>
      /^\/((version|api|apis|openapi.*|healthz.*|livez.*|readyz.*|api\/v1)\/?)?$/.test(path),
    ),
  },
  {
    reason: 'telling duplicate fields and the spelling of numbers, which JSON.parse loses',
    needs: ({ name }) => name === 'fieldValidation-duplicate-field' || name === 'json-numbers',
  },
];

/** Undefined: the server offers all the case needs. */
export const notOffered = (vector: HttpCase): string | undefined =>
  GAPS.find(({ needs }) => needs(vector))?.reason;
