import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** What the canvas shows below a trigger: its events by their labels, or their number when that gets long. */
export function eventSubtitle(properties: readonly INodeProperties[]): string {
	const events = properties.find(({ name }) => name === 'events');
	const options = (events?.options ?? []) as INodePropertyOptions[];
	const labels = JSON.stringify(
		Object.fromEntries(options.map(({ value, name }) => [String(value), name])),
	);
	const chosen = '$parameter.events';
	return `={{ ${chosen}.length > 2 ? ${chosen}.length + " events" : ${chosen}.map((event) => (${labels})[event]).join(", ") }}`;
}
