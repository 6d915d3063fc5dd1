export { type ClockState, ScheduledClock } from './clock/scheduled-clock.ts';
export {
  isLoopbackHost,
  type ListenOptions,
  listen,
  loopback,
  stopListening,
} from './http/listen.ts';
export {
  type ProblemKinds,
  type ProblemOptions,
  ProblemResponse,
} from './http/problem-response.ts';
export { readBody } from './http/read-body.ts';
export {
  type DocumentedOperation,
  type JsonSchema,
  json,
  openApiDocument,
} from './openapi.ts';
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
