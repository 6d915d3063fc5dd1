import type { INodeProperties } from 'n8n-workflow';
import { type NodeResource, resources } from './resources';
import { authenticationProperty } from './shared/authentication';
import type { NodeOperation } from './shared/operation';
import { concurrencyOption, timeoutOption } from './shared/options';
import { sorted, toDescription } from './shared/properties';
import { actionSubtitle } from './shared/subtitle';

export const properties: INodeProperties[] = [
	authenticationProperty,
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: 'screen',
	},
	...resources.map(operationProperty),
	...resources.flatMap((resource) =>
		resource.operations.flatMap((operation) => shown(resource, operation)),
	),
];

export const subtitle = actionSubtitle(resources);

function operationProperty({ value, operations }: NodeResource): INodeProperties {
	const initial = operations[0]?.value ?? '';
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: sorted(
			operations.map((entry) => ({
				name: entry.name,
				value: entry.value,
				action: entry.action,
				description: toDescription(entry.operation.description),
			})),
		),
		default: initial,
	};
}

/** The properties of an operation, each shown for it alone. */
function shown(resource: NodeResource, operation: NodeOperation): INodeProperties[] {
	const options: INodeProperties = {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: sorted([concurrencyOption(operation), timeoutOption, ...(operation.options ?? [])]),
	};
	return [...operation.properties, options].map((property) => ({
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
