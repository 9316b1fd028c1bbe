/**
 * Where every layer's messages go. klog's shape: a level of verbosity, a constant text, keys and values.
 *
 * An error is always told; info only if its level is enabled. The default tells nobody.
 */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  /** Whether `info` at this level is worth preparing for. */
  enabled(level: number): boolean;
  info(level: number, message: string, fields?: LogFields): void;
  error(error: unknown, message: string, fields?: LogFields): void;
}

export const silentLogger: Logger = {
  enabled: () => false,
  info() {},
  error() {},
};
