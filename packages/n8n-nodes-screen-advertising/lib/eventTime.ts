/**
 * When an event happened, if its envelope says so: the contract shows no member for it. Unlike the
 * time of the signature, it stays the same when the event is delivered again. In a body without an
 * envelope, `created_at` may belong to the record.
 */
export function eventTime(payload: unknown): string | undefined {
	const envelope = Object(payload) as Readonly<Record<string, unknown>>;
	const { created_at: at } = envelope;
	if (typeof (envelope.data ?? envelope.payload) !== 'object') return undefined;
	const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
	return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
