import { InputError } from '@screen-advertising/core';
import {
	type FormField,
	isEmpty,
	type ReadField,
	readSetting,
	readWhenEmpty,
	type WhenEmpty,
	whenEmptyField,
} from '@screen-advertising/core/forms';
import type {
	IDataObject,
	IHookFunctions,
	INode,
	INodeProperties,
	INodePropertyOptions,
	IPollFunctions,
	IWebhookFunctions,
	NodePropertyTypes,
} from 'n8n-workflow';
import { toNodeError } from './nodeErrors';
import { toProperty } from './properties';

const kinds: Readonly<Partial<Record<NodePropertyTypes, FormField['type']>>> = {
	boolean: 'toggle',
	options: 'choice',
	multiOptions: 'choices',
	number: 'number',
};

/**
 * The value of a property that is n8n's own: an expression may return anything. Empty is the default.
 * Throws InputError for a value that the editor would not take.
 */
export function readProperty(
	title: string,
	property: INodeProperties,
	given: unknown,
	otherwise: unknown = property.default,
): unknown {
	return readSetting(title, settingOf(property), given, otherwise);
}

function settingOf({ displayName, type, typeOptions = {}, options }: INodeProperties): ReadField {
	const { minValue, maxValue, numberPrecision } = typeOptions;
	const choices = (options ?? []) as INodePropertyOptions[];
	return {
		name: displayName,
		title: displayName,
		type: numberPrecision === 0 ? 'integer' : (kinds[type] ?? 'text'),
		choices: choices.map(({ name, value }) => ({ title: name, value: String(value) })),
		...(minValue !== undefined && { range: [minValue, maxValue ?? Infinity] }),
	};
}

/** A context of n8n, of which each kind reads parameters in its own way. */
interface NodeContext {
	getNode(): INode;
}

const parameters = new WeakMap<NodeContext, IDataObject>();

/** What was written into the parameters of the node, expressions as they are. */
export function writtenParameters(context: NodeContext): IDataObject {
	const written = parameters.get(context) ?? (context.getNode().parameters as IDataObject);
	parameters.set(context, written);
	return written;
}

/** The values of fields, and what was written into each. */
export interface EnteredFields {
	readonly values: Record<string, unknown>;
	readonly written: Record<string, unknown>;
}

/**
 * The fields of a collection. n8n drops one that is an expression as a whole (seen in 2.40). Throws
 * InputError.
 */
export function readCollection(title: string, given: unknown, written: unknown): EnteredFields {
	if (isEmpty(given)) return { values: {}, written: {} };
	if (typeof given !== 'object' || given === null || Array.isArray(given)) {
		throw new InputError(title, [{ field: '', message: 'the fields must be an object' }]);
	}
	const values = Object.entries(given).map(([name, value]) => [name, chosenValue(value)] as const);
	const texts = values.map(([name]) => {
		return [name, chosenValue((written as IDataObject | undefined)?.[name])] as const;
	});
	return { values: Object.fromEntries(values), written: Object.fromEntries(texts) };
}

/** The value that the user chose from a list or wrote. An expression may return any other. */
export function chosenValue(given: unknown): unknown {
	return typeof given === 'object' && given !== null && '__rl' in given
		? (given as IDataObject).value
		: given;
}

/** The option for conditions that come out empty; none for a form without conditions. */
export function whenEmptyProperty(fields: readonly ReadField[]): INodeProperties[] {
	const field = whenEmptyField(fields);
	if (!field) return [];
	// In the order of the core, and not sorted: the default comes first.
	const options = field.choices.map(({ title, value }) => ({ name: title, value }));
	return [{ ...toProperty({ ...field, name: whenEmptyName }), options }];
}

const whenEmptyName = 'whenEmpty';

/** What the user chose there. Throws InputError. */
export function readWhenEmptyChoice(
	title: string,
	fields: readonly ReadField[],
	options: unknown,
): WhenEmpty | undefined {
	return readWhenEmpty(title, fields, (options as IDataObject | undefined)?.[whenEmptyName]);
}

/** A trigger, of which each kind has its own context. */
type TriggerContext = IHookFunctions | IPollFunctions | IWebhookFunctions;

/**
 * An option of a published trigger. Null if it was not added, or cannot be used by now, which
 * publishing refuses.
 */
export function triggerOption(
	context: TriggerContext,
	properties: readonly INodeProperties[],
	name: string,
): unknown {
	const { [name]: given } = context.getNodeParameter('options', {}) as IDataObject;
	const property = optionsIn(properties).find((option) => option.name === name);
	try {
		return property && readProperty('', property, given, null);
	} catch {
		return null;
	}
}

function optionsIn(properties: readonly INodeProperties[]): readonly INodeProperties[] {
	const options = properties.find(({ name }) => name === 'options')?.options ?? [];
	return options as INodeProperties[];
}

/**
 * Refuses settings of a trigger that cannot be used, and returns the chosen events. Throws an error
 * that n8n shows.
 */
export function checkTriggerSettings(
	context: IHookFunctions | IPollFunctions,
	properties: readonly INodeProperties[],
	eventsName = 'events',
): readonly string[] {
	const { name } = context.getNode();
	try {
		const given = context.getNodeParameter('options', {}) as IDataObject;
		for (const property of optionsIn(properties)) {
			readProperty(name, property, given[property.name]);
		}
		const events = properties.find((property) => property.name === eventsName);
		const chosen = context.getNodeParameter(eventsName, []);
		if (isEmpty(chosen)) {
			throw new InputError(name, [{ field: 'Trigger On', message: 'is required' }]);
		}
		return events ? (readProperty(name, events, chosen) as string[]) : [];
	} catch (error) {
		throw toNodeError(error, { node: context.getNode() });
	}
}
