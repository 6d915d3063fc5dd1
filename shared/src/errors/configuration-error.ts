import {
  type IsInstance,
  isInstanceOf,
  ScreenAdvertisingError,
} from './screen-advertising-error.ts';

/** A base URL, credential or option that cannot work. Nothing was sent. */
export class ConfigurationError extends ScreenAdvertisingError {
  static override readonly errorName = 'ConfigurationError';
  static override readonly isInstance: IsInstance<ConfigurationError> =
    isInstanceOf('ConfigurationError');
  /** The option at fault, such as `baseUrl`. */
  readonly field: string;

  constructor(field: string, message: string) {
    super('invalid_configuration', message);
    this.field = field;
  }
}
