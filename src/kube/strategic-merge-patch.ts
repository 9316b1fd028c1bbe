/** Strategic merge patches: made (CreateTwoWayMergePatch) and applied (StrategicMergePatch) as Kubernetes does. */
export { createTwoWayMergePatch } from './strategic-merge-patch-create.js';
export { strategicMergePatch } from './strategic-merge-patch-apply.js';
