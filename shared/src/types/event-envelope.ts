/** What every delivery says, read from any of the accepted shapes; see the assumptions about events. */
export interface EventEnvelope {
  /**
   * `event_id`, `id` or `delivery_id`; undefined without one. An `id` next to the fields of a flat
   * event is ignored: it belongs to the record, and several events may be about one record.
   */
  readonly id: string | undefined;
  /** The whole body. Integers beyond 2^53 are strings of their digits. */
  readonly payload: Readonly<Record<string, unknown>>;
}
