import { ConfigurationError, InputError, ScreenAdvertisingError } from '@screen-advertising/core';
import { shownFields } from '@screen-advertising/core/forms';
import { safeOutsideText, joinSentences } from '@screen-advertising/core/platform';
import { qrCodeForm } from '@screen-advertising/core/qr-code';
import {
	type FunctionsBase,
	type IDataObject,
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { errorMessage, type ErrorMessage, type ErrorMessageContext } from './errorMessages';

/** The node, item and operation that failed. */
interface FailureContext extends Partial<ErrorMessageContext> {
	readonly node: INode;
	readonly itemIndex?: number;
	/** Replaces the message that fits any failure of the operation. */
	readonly shown?: ErrorMessage;
}

/**
 * Turns any failure into an error that n8n shows: a response of the service becomes a NodeApiError,
 * a wrong parameter or credential a NodeOperationError. Neither holds the request, so neither holds
 * a secret.
 */
export function toNodeError(
	error: unknown,
	context: FailureContext,
): NodeApiError | NodeOperationError {
	return forTool(context.node, nodeErrorOf(error, context));
}

/** An agent whose tools n8n runs gets the title alone (seen in 2.40), so there it holds everything. */
function forTool<Shown extends NodeApiError | NodeOperationError>(
	node: INode,
	error: Shown,
): Shown {
	const { message, description } = error;
	if (isAgentTool(node) && description && !message.includes(description)) {
		error.message = joinSentences([message, description]);
	}
	return error;
}

function nodeErrorOf(error: unknown, context: FailureContext): NodeApiError | NodeOperationError {
	const { node, itemIndex } = context;
	const where = itemIndex === undefined ? {} : { itemIndex };
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	if (!ScreenAdvertisingError.isInstance(error)) {
		return new NodeOperationError(node, error instanceof Error ? error : String(error), where);
	}
	if (error instanceof InputError || error instanceof ConfigurationError) {
		const shown =
			error instanceof InputError ? inputMessage(error, context) : credentialMessage(error, node);
		return new NodeOperationError(node, shown.message, {
			...where,
			description: shown.description,
			level: 'warning',
		});
	}
	const { given = () => '', operation, credential = credentialDisplayName(node) } = context;
	const { message, description } =
		context.shown ?? errorMessage(error, { given, operation, credential });
	const apiError = new NodeApiError(node, detailsOf(error) as JsonObject, {
		...where,
		message,
		description,
		...(error.status !== undefined && { httpCode: String(error.status) }),
	});
	// n8n swaps in its own words for a message that names a network code or equals its description.
	apiError.message = message;
	return apiError;
}

/**
 * A failure as an item's data, for workflows that continue after it; `shown` is what n8n shows. n8n
 * treats an item with these two members as an error, and leaves the details alone.
 */
export function toErrorItem(error: unknown, shown: NodeApiError | NodeOperationError): IDataObject {
	const details = ScreenAdvertisingError.isInstance(error)
		? { code: error.code, ...detailsOf(error) }
		: {};
	const { message, description } = shown;
	const isWhole = !description || message.includes(description);
	const text = isWhole ? message : joinSentences([message, description]);
	return { error: text, details };
}

/** Omits the code, which n8n would take for an HTTP status. */
function detailsOf(error: ScreenAdvertisingError): IDataObject {
	const { status, problem, retryAfter, isRetryable, requestId } = error;
	return {
		...(status !== undefined && { status }),
		...(typeof problem?.type === 'string' && { type: safeOutsideText(problem.type) }),
		...(typeof problem?.title === 'string' && { title: safeOutsideText(problem.title) }),
		...(typeof problem?.detail === 'string' && { detail: safeOutsideText(problem.detail) }),
		retryable: isRetryable,
		...(retryAfter !== undefined && { retry_after: retryAfter }),
		...(requestId !== undefined && { request_id: safeOutsideText(requestId) }),
	};
}

function inputMessage(error: InputError, { operation }: FailureContext) {
	const titles = new Map(
		(operation ? [operation, qrCodeForm(operation) ?? operation] : [])
			.flatMap(shownFields)
			.map(({ name, title }) => [name, title]),
	);
	const lines = error.issues.map(({ field, message }) => {
		const [name = '', ...members] = field.split('.');
		const label = [titles.get(name) ?? name, ...members].join('.');
		// A message may end with the name of another field, as in `must not be before from`.
		const text = message.replace(/\w+$/, (last) =>
			titles.has(last) ? `'${titles.get(last)}'` : last,
		);
		return label ? `'${label}' ${text}` : text;
	});
	return {
		message: lines.join('; '),
		description: 'Nothing was sent. Fix the field in this node, or the expression that fills it.',
	};
}

function credentialMessage({ message }: ConfigurationError, node: INode) {
	return {
		message: `The ${credentialDisplayName(node)} cannot be used: ${message}`,
		description: 'Nothing was sent. Open the credential and correct it.',
	};
}

const types: Readonly<Record<string, string>> = {
	apiKey: 'screenAdvertisingApi',
	clientCredentials: 'screenAdvertisingClientCredentialsApi',
	relay: 'screenAdvertisingRelayApi',
};

/** The credential that a node uses, by the name that the user gave it. */
export function credentialDisplayName(
	{ credentials, parameters }: INode,
	type: string = types[String(parameters.authentication ?? 'apiKey')] ?? '',
): string {
	const name = credentials?.[type]?.name;
	return name ? `credential "${name}"` : 'credential of this node';
}

/** Whether an AI agent uses the node: n8n gives its type another name then. */
export function isAgentTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

/** The node of a message: n8n's log does not show where one comes from. */
export function nodeInWorkflow(context: Pick<FunctionsBase, 'getNode' | 'getWorkflow'>): string {
	return `"${context.getNode().name}" of the workflow "${context.getWorkflow().name}"`;
}
