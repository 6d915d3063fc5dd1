import type { INodeProperties } from 'n8n-workflow';
import { authenticationProperty } from '../../lib/authentication';
import { toImperative, sortedByName, toPropertyDescription } from '../../lib/properties';
import { batchingOptions } from './execute';
import type { NodeOperation } from './operation';
import { type NodeResource, nodeResources } from './resources';

export const properties: INodeProperties[] = [
	authenticationProperty,
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: nodeResources.map(({ name, value }) => ({ name, value })),
		default: 'screen',
	},
	...nodeResources.map(operationProperty),
	...nodeResources.flatMap((resource) =>
		resource.operations.flatMap((operation) => shown(resource, operation)),
	),
];

export const subtitle = actionSubtitle();

function operationProperty({ value, operations }: NodeResource): INodeProperties {
	const initial = operations[0]?.value ?? '';
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: sortedByName(
			operations.map((entry) => ({
				name: entry.name,
				value: entry.value,
				action: entry.action,
				description: toPropertyDescription(toImperative(entry.operation.description)),
			})),
		),
		default: initial,
	};
}

/** The properties of an operation, each shown only for that operation. */
function shown(resource: NodeResource, operation: NodeOperation): INodeProperties[] {
	const entries = sortedByName([...batchingOptions(operation), ...(operation.options ?? [])]);
	const options: INodeProperties = {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: entries,
	};
	return [...operation.properties, ...(entries.length > 0 ? [options] : [])].map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: {
				resource: [resource.value],
				operation: [operation.value],
				...property.displayOptions?.show,
			},
		},
	}));
}

/** The line below a node on the canvas: its action in words, where n8n would show raw values. */
function actionSubtitle(): string {
	const actions = Object.fromEntries(
		nodeResources.flatMap(({ value, operations }) =>
			operations.map((operation) => [`${value}.${operation.value}`, operation.action]),
		),
	);
	return `={{ (${JSON.stringify(actions)})[$parameter.resource + "." + $parameter.operation] }}`;
}
