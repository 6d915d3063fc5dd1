export { assetsApp, pageHeaders } from './assets.ts';
export {
  type ActionButton,
  type ActionForm,
  type Choice,
  fieldsOf,
  formsOf,
  select,
} from './forms.ts';
export type { Html } from './html.ts';
export { layout, live, type Notice, navigationOf, type Page } from './layout.ts';
export type { Product } from './product.ts';
export { type Table, table } from './table.ts';
export { badge, copyable, facts, moment, statusBadge } from './values.ts';
