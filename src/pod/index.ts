/** The pods of a node. */
export { BasicPodManager, isMirrorPodOf } from './pod-manager.js';
