import { sentences } from '@screen-advertising/core/platform';

/**
 * What n8n itself says of a request that it did not send, after what that means. Only n8n's errors
 * for users have a description: others may hold the request.
 */
export function notSent(what: string, error: unknown): string {
	const { message, description } = Object(error) as { message?: string; description?: unknown };
	return sentences(typeof description === 'string' ? [what, message, description] : [what]);
}
