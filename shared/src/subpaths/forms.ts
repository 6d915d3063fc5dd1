/**
 * `@screen-advertising/core/forms`: what a form, a document or a table needs to know about
 * operations.
 */
export {
  type FormField,
  formFields,
  inputJsonSchema,
} from '../catalogue/form-fields.ts';
export {
  type RecordField,
  recordFields,
} from '../catalogue/record-fields.ts';
