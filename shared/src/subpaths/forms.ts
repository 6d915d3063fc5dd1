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
export { shownRecordFields, withAmounts } from '../forms/amounts.ts';
export { type KnownField, knownValues, listOf } from '../forms/known-values.ts';
export { dayIn } from '../forms/moments.ts';
export { type FormOptions, readBoth, readDays, readForm } from '../forms/read-form.ts';
export { shownFields } from '../forms/shown-fields.ts';
export { whyEmpty } from '../forms/why-empty.ts';
