import { clock } from './transport';

/** Does something that a signal ends after this time, with the reason. */
export async function within<Result>(
	ms: number,
	work: (end: AbortSignal) => Promise<Result>,
	reason: Error,
): Promise<Result> {
	const end = new AbortController();
	const done = new AbortController();
	clock.sleep(ms, done.signal).then(
		() => end.abort(reason),
		() => undefined,
	);
	try {
		return await work(end.signal);
	} finally {
		done.abort();
	}
}
