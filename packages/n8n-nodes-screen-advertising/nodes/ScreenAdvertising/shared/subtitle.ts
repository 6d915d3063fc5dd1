import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { NodeResource } from '../resources';

/** What the canvas shows below a node: its action in words, where n8n would show raw values. */
export function actionSubtitle(resources: readonly NodeResource[]): string {
	const actions = Object.fromEntries(
		resources.flatMap(({ value, operations }) =>
			operations.map((operation) => [`${value}.${operation.value}`, operation.action]),
		),
	);
	return `={{ (${JSON.stringify(actions)})[$parameter.resource + "." + $parameter.operation] }}`;
}

/** The same for a trigger: its events by their labels, or their number when that gets long. */
export function eventSubtitle(properties: readonly INodeProperties[]): string {
	const events = properties.find(({ name }) => name === 'events');
	const options = (events?.options ?? []) as INodePropertyOptions[];
	const labels = JSON.stringify(
		Object.fromEntries(options.map(({ value, name }) => [String(value), name])),
	);
	const chosen = '$parameter.events';
	return `={{ ${chosen}.length > 2 ? ${chosen}.length + " events" : ${chosen}.map((event) => (${labels})[event]).join(", ") }}`;
}
