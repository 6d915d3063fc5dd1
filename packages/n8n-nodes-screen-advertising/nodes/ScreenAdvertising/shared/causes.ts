/** The error itself and what caused it, outermost first. */
export function chain(error: unknown): unknown[] {
	const links: unknown[] = [];
	let link = error;
	while (link !== undefined && link !== null && links.length < 6) {
		links.push(link);
		link = member(link, 'cause');
	}
	return links;
}

export function member(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null
		? (value as Record<string, unknown>)[name]
		: undefined;
}
