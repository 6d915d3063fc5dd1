export {
  isLoopbackHost,
  type ListenOptions,
  listen,
  loopbackAddress,
  type ProblemKinds,
  type ProblemOptions,
  ProblemResponse,
  readBody,
  stopListening,
} from './http.ts';
export {
  type DocumentedOperation,
  type JsonSchema,
  jsonContent,
  openApiDocument,
} from './openapi.ts';
export { type ClockState, ScheduledClock } from './scheduled-clock.ts';
