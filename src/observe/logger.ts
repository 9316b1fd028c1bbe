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

/** The same logger, but what it throws is nobody's trouble: a full disk must not decide what is sent. */
export function unfailing(logger: Logger): Logger {
  const attempt = <T>(otherwise: T, tell: () => T): T => {
    try {
      return tell();
    } catch {
      return otherwise;
    }
  };
  return {
    enabled: (level) => attempt(false, () => logger.enabled(level)),
    info: (level, message, fields) => attempt(undefined, () => logger.info(level, message, fields)),
    error: (error, message, fields) => attempt(undefined, () => logger.error(error, message, fields)),
  };
}

export const silentLogger: Logger = {
  enabled: () => false,
  info() {},
  error() {},
};
