/**
 * A value that this version of the package does not know. It equals no text that the compiler can
 * see, so that a misspelled value is an error: compare `String(request.status)` instead.
 */
export declare enum UnknownValue {
  /** Stands for any other text. */
  Other = 'a value that this version does not know',
}
