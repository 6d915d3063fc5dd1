export type RelayErrorCode =
  | 'no_postgres'
  | 'postgres_failed'
  | 'data_folder'
  | 'secret_key'
  | 'configuration'
  | 'invalid_parameter'
  | 'not_found'
  | 'conflict';

/** The relay cannot do what was requested. The message says how to fix it. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  readonly code: RelayErrorCode;

  constructor(code: RelayErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
