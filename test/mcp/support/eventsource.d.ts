/** Replaces the package's own sources, which would fail this compiler's strict rules. */
export class EventSource {}
export class ErrorEvent {}
export type EventSourceInit = object;
