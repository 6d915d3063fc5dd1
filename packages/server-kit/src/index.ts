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
