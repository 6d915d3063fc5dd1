/** `@screen-advertising/core/forms`: operations as forms, documents and tables need them. */

export { type Coordinates, greatCircle, parseCoordinates } from '../catalogue/coordinates.ts';
export {
  type FormField,
  formFields,
  formText,
  inputJsonSchema,
  type RecordField,
  recordFields,
} from '../catalogue/fields.ts';
export type { InputOf } from '../catalogue/operation.ts';
export { shownFields, shownRecordFields, withAmounts } from '../forms/amounts.ts';
export { dayIn, isTimeZone } from '../forms/days.ts';
export { type KnownField, knownFields, knownValues, listOf } from '../forms/known-values.ts';
export { plain } from '../forms/nearest.ts';
export {
  EmptyCondition,
  type FormOptions,
  isComputed,
  issuesOf,
  type Pairs,
  type ReadField,
  readArguments,
  readBoth,
  readFields,
  readForm,
  readObject,
  readPairs,
  readSetting,
  readWhenEmpty,
  type WhenEmpty,
  whenEmptyField,
  withOptional,
} from '../forms/read-form.ts';
export { isEmpty } from '../forms/read-value.ts';
export { emailKey } from '../forms/texts.ts';
export { userFacts } from '../forms/user-facts.ts';
export { whyEmpty } from '../forms/why-empty.ts';
