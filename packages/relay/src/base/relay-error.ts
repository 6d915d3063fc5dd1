export type RelayErrorCode =
  | 'no_postgres'
  | 'postgres_failed'
  | 'data_folder'
  | 'secret_key'
  | 'configuration'
  | 'invalid_parameter'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'position_gone';

interface RelayErrorOptions extends ErrorOptions {
  readonly position?: string;
  readonly member?: string | undefined;
}

/** The relay cannot do what was requested. The message says how to fix it. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  readonly code: RelayErrorCode;
  /** Where to continue reading events, with `position_gone`. */
  readonly position: string | undefined;
  /** The member of the input that it is about, if it is one. */
  readonly member: string | undefined;

  constructor(
    code: RelayErrorCode,
    message: string,
    { position, member, ...options }: RelayErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.position = position;
    this.member = member;
  }
}
