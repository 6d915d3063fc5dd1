/** `@screen-advertising/core/forms`: operations as forms, documents and tables need them. */
export {
  type FormField,
  formFields,
  inputJsonSchema,
} from '../catalogue/form-fields.ts';
export {
  type RecordField,
  recordFields,
} from '../catalogue/record-fields.ts';
