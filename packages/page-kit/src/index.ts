export { assetsApp, pageHeaders } from './assets.ts';
export {
  type ActionButton,
  type ActionForm,
  type Choice,
  fieldsOf,
  formsOf,
  select,
} from './forms.ts';
export {
  type Html,
  layout,
  live,
  type Notice,
  navigationOf,
  type Page,
  type Product,
} from './layout.ts';
export { type Table, table } from './table.ts';
export { badge, copyable, facts, moment, statusBadge } from './values.ts';
