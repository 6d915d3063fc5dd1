export { assetsApp, pageHeaders } from './pages/assets.ts';
export {
  type ActionButton,
  type ActionForm,
  type Choice,
  fieldsOf,
  formsOf,
  select,
} from './pages/forms.ts';
export {
  type Html,
  layout,
  live,
  type Notice,
  navigationOf,
  type Page,
  type Product,
} from './pages/layout.ts';
export { type Table, table } from './pages/table.ts';
export { badgeOf, copyable, facts, moment, statusBadge } from './pages/values.ts';
