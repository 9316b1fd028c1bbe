// Which Node the suite must run on: a `node` that shadows another on PATH goes unseen otherwise.

const OLDEST = 20;

export function nodeMajor(version: string): number {
  return Number(/^v(\d+)\./.exec(version)?.[1]);
}

/** What is wrong with running on `version`, or undefined. */
export function wrongNode(
  version: string,
  expected = process.env.PODLOOM_EXPECT_NODE_MAJOR,
): string | undefined {
  const major = nodeMajor(version);
  if (!(major >= OLDEST)) return `runs on Node ${version}, needs ${OLDEST} or newer`;
  if (expected && major !== Number(expected)) {
    return `runs on Node ${version}, but PODLOOM_EXPECT_NODE_MAJOR is ${expected}`;
  }
  return undefined;
}
