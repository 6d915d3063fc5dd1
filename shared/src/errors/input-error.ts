import {
  type IsInstance,
  isInstanceOf,
  ScreenAdvertisingError,
} from './screen-advertising-error.ts';

/** One invalid field, and how to fix it. */
export interface InputIssue {
  /** The field's name, with dots for members: `lead_metadata.tags`. Empty for the whole input. */
  readonly field: string;
  readonly message: string;
}

/** Input that the contract does not allow. Nothing was sent. */
export class InputError extends ScreenAdvertisingError {
  static override readonly errorName = 'InputError';
  static override readonly isInstance: IsInstance<InputError> = isInstanceOf('InputError');
  readonly issues: readonly InputIssue[];

  constructor(operationTitle: string, issues: readonly InputIssue[]) {
    const lines = issues.map(({ field, message }) => (field ? `${field} ${message}` : message));
    super('invalid_input', `${operationTitle} was not sent: ${lines.join('; ')}.`);
    this.issues = issues;
  }

  /** Name of the first invalid field. */
  get field(): string | undefined {
    return this.issues[0]?.field;
  }
}
