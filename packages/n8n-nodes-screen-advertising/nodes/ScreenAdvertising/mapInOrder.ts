/**
 * Runs a task for each index, at most `concurrency` at a time, and returns the results in order.
 * After a failure no further task starts; running tasks finish, and then the first failure is
 * thrown.
 */
export async function mapInOrder<Result>(
	count: number,
	concurrency: number,
	task: (index: number) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	const failures: Array<{ index: number; error: unknown }> = [];
	let next = 0;
	const work = async () => {
		while (next < count && failures.length === 0) {
			const index = next++;
			try {
				results[index] = await task(index);
			} catch (error) {
				failures.push({ index, error });
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, count) }, work));
	const [first] = failures.sort((a, b) => a.index - b.index);
	if (first) throw first.error;
	return results;
}
