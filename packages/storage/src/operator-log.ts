// The log for operators: one line for each thing that happened, with its level, its time, what it was and the
// ids that it concerns. It is off, and costs one comparison, until a sink is installed (operator-log-sink.ts). Texts of
// documents, messages and questions never go into it: ids, codes and counts do, and what an error says of itself.

export const logLevels = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

/** What a line is about, by names such as job, session, turn, route. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type LogSink = (level: LogLevel, what: string, fields: LogFields) => void;

let installed: LogSink | undefined;

/** Returns how to remove it. */
export function installLog(sink: LogSink): () => void {
  installed = sink;
  return () => {
    if (installed === sink) installed = undefined;
  };
}

/** `what` is a name such as `job.status`, the same for every occurrence. */
export function log(level: LogLevel, what: string, fields: LogFields = {}, error?: unknown): void {
  installed?.(level, what, error === undefined ? fields : { ...fields, ...errorFields(error) });
}

/** For a promise whose failure keeps nothing from going on: it is logged, and the promise resolves. */
export function logFailure(what: string, fields: LogFields = {}): (error: unknown) => undefined {
  return (error) => {
    log("warn", what, fields, error);
    return undefined;
  };
}

function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { message: error.message, code, stack: error.stack };
}
