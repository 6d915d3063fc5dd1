/** RFC 7807 problem document as the service sends it (section 7); further members pass through. */
export interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  /** Seconds; only on 429. */
  readonly retry_after?: number;
  readonly [member: string]: unknown;
}
