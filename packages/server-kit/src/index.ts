export {
  isLoopbackHost,
  type ListenOptions,
  listen,
  loopback,
  type ProblemKinds,
  type ProblemOptions,
  ProblemResponse,
  readBody,
  stopListening,
} from './http.ts';
export {
  type DocumentedOperation,
  type JsonSchema,
  json,
  openApiDocument,
} from './openapi.ts';
export { type ClockState, ScheduledClock } from './scheduled-clock.ts';
