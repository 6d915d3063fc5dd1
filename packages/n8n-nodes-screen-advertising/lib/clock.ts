import { sleep } from 'n8n-workflow';
import type { Clock } from '@screen-advertising/core';

/** One object for the whole process: the core shares limits among all that use the same clock. */
export const clock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	sleep: async (ms, signal) => await sleep(ms, signal),
};
