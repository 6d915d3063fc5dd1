import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/**
 * An output item. From 2.36 on, n8n knows a failed one by its data, `error` and `details`, and
 * hands it to the error output. Before, it looks for an `error` beside the data, but strips the
 * data of every item that still has it afterwards. The items that n8n hands on are copies, so
 * an `error` that is not copied does both: the item is handed on, and keeps its details.
 */
export function toItem(
	context: IExecuteFunctions,
	json: IDataObject,
	index: number,
): INodeExecutionData {
	const item: INodeExecutionData = { json, pairedItem: { item: index } };
	if (isFailure(json) && context.getNode().onError === 'continueErrorOutput') {
		Object.defineProperty(item, 'error', { value: { message: json.error }, enumerable: false });
	}
	return item;
}

function isFailure(json: IDataObject): boolean {
	return Object.keys(json).join() === 'error,details';
}
