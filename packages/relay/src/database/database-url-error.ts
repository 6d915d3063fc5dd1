import { RelayError } from '../relay-error.ts';

/** Something is wrong with DATABASE_URL. The message continues the name of the variable. */
export class DatabaseUrlError extends RelayError {
  constructor(what: string, cause?: unknown) {
    super('configuration', `DATABASE_URL ${what}.`, { cause });
  }
}
