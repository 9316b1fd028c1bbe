// Where files that are not compiled (vectors, package.json) are found from dist/.

import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);

/** The absolute path of a file or folder of the repository, given from its top level. */
export function inRepository(path: string): string {
  return fileURLToPath(new URL(path, root));
}
