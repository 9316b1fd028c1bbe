/**
 * What a kind of vectors has to bring: how a line becomes a case, which modes it runs in, how a case is run.
 * The command (main.ts) and the tests know nothing else about it.
 */

export type Verdict =
  | { readonly is: 'passed' }
  | { readonly is: 'skipped'; readonly reason: string }
  /** The first step that differed, and both sides as text. */
  | { readonly is: 'failed'; readonly step: string; readonly expected: string; readonly got: string };

export interface NamedCase {
  readonly name: string;
}

/** A place to run cases of one kind in one mode, one after the other. */
export interface Stage<C extends NamedCase> {
  run(vector: C): Promise<Verdict>;
  close(): Promise<void>;
}

export interface Kind<C extends NamedCase = NamedCase> {
  /** Also the name of the folder its vectors are in. */
  readonly name: string;
  /** A line of a case file, already parsed as JSON; throws MalformedCase. */
  parse(line: unknown): C;
  /** The modes to run in: what `--threads` asked for, or all of them. Throws UsageError. */
  modes(threads: string | undefined): readonly string[];
  open(mode: string): Promise<Stage<C>>;
}

/** The command was called in a wrong way. */
export class UsageError extends Error {}

/** A line that is no case of its kind. */
export class MalformedCase extends Error {}
