/** Inside a container the loopback address is the container itself, where nothing may listen. */
export function containerHint(message: string): string {
	return /(^|\s)(127\.|localhost|\[::1\])\S* refused/.test(message)
		? ' If n8n runs in a container, use host.docker.internal instead of this host.'
		: '';
}
