/** In place of the package's own sources, which this compiler would check by its strict rules. */
export class EventSource {}
export class ErrorEvent {}
export type EventSourceInit = object;
