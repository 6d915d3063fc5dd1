/** `@screen-advertising/core/forms`: operations as forms, documents and tables need them. */

export {
  type Coordinates,
  greatCircleDistance,
  parseCoordinates,
} from '../catalogue/coordinates.ts';
export {
  type FormField,
  formFields,
  formText,
  inputJsonSchema,
  type RecordField,
  recordFields,
} from '../catalogue/fields.ts';
export type { InputOf } from '../catalogue/operation.ts';
export { shownFields, shownRecordFields, withCurrencyAmounts } from '../forms/amounts.ts';
export { dayInTimeZone, isTimeZone } from '../forms/days.ts';
export { type KnownField, knownFields, knownValues, listWithField } from '../forms/known-values.ts';
export { withoutCaseAndAccents } from '../forms/nearest.ts';
export {
  EmptyConditionError,
  type FormOptions,
  inputIssuesOf,
  isMappedOrComputed,
  type NamedValuePairs,
  type ReadField,
  readArguments,
  readBothParts,
  readFields,
  readForm,
  readJsonObject,
  readNamedValuePairs,
  readSetting,
  readWhenEmpty,
  type WhenEmpty,
  whenEmptyField,
  withOptionalFields,
} from '../forms/read-form.ts';
export { isEmpty } from '../forms/read-value.ts';
export { emailKey } from '../forms/texts.ts';
export { userLookupFacts } from '../forms/user-facts.ts';
export { explainEmptyResult } from '../forms/why-empty.ts';
