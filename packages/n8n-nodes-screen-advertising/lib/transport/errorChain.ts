/** The error and its causes, outermost first. */
export function causesOf(error: unknown): unknown[] {
	const links: unknown[] = [];
	let link = error;
	while (link !== undefined && link !== null && links.length < 6) {
		links.push(link);
		link = get(link, 'cause') ?? unwrapped(link);
	}
	return links;
}

export function get(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null
		? (value as Record<string, unknown>)[name]
		: undefined;
}

/**
 * What an error of n8n's request helper keeps of the error it wraps. Up to n8n 2.35 it has no
 * cause, only the code or status, and the message. Without a code, the network did not fail.
 */
function unwrapped(error: unknown): Record<string, unknown> | undefined {
	const [message] = [get(error, 'messages')].flat();
	if (typeof message !== 'string') return undefined;
	const code = get(error, 'httpCode') ?? undefined;
	const [, syscall] = /^(connect|read|write|getaddrinfo) E/.exec(message) ?? [];
	return { message, code, syscall, isAxiosError: code !== undefined };
}
