/** An error as Zapier's backend reads it. */
export interface ZapierError {
  /** Name of the class: AppError, HaltedError, ThrottledError, ExpiredAuthError and so on. */
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly status?: number;
  /** Seconds until Zapier runs the step again; only for ThrottledError. */
  readonly delay?: number;
}

/** Some errors of zapier-platform-core carry their parts as JSON in the message. */
export function readZapierError(error: unknown): ZapierError {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error) };
  const { name, message } = error;
  if (name !== 'AppError' && name !== 'ThrottledError') return { name, message };
  return { name, ...JSON.parse(message) };
}
