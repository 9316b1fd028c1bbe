/** The pod table in shared memory: slots, the uid index, versions. */
export { TableError } from './errors.js';
export { MAX_UID_BYTES } from './layout.js';
export { VersionTable } from './version-table.js';
export type { VersionEntry, VersionTableHandle, VersionTableOptions } from './version-table.js';
