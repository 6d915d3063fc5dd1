import type { Client, Operation } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { readForm, shownFields } from '@screen-advertising/core/forms';
import { parseInput } from '@screen-advertising/core/platform';
import { drawQrCode, qrCodeForm, withQrCode } from '@screen-advertising/core/qr-code';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { shownOnceAdded, toProperty } from '../../lib/properties';
import { readCollection, readProperty, writtenParameters } from '../../lib/values';
import type { InputItem } from './operation';

/** Named as in n8n's own nodes with files. */
const fieldProperty: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	placeholder: 'e.g. data',
	description: 'The name of the output binary field to put the file in',
};

/** The option that adds a file, and the one for its field, which is offered with it. */
export const withFileFieldOption = (option: INodeProperties): INodeProperties[] => [
	option,
	shownOnceAdded(option, fieldProperty),
];

interface File {
	/** Characters that file systems refuse are replaced. */
	readonly name: string;
	readonly bytes: Uint8Array;
	readonly type: string;
}

export type FileAdder = (file: File) => Promise<void>;

/** Adds files to the item, in the field that its options name. Throws InputError. */
export function createFileAdder({ context, index, binary }: InputItem, title: string): FileAdder {
	const options = context.getNodeParameter('options', index, {}) as IDataObject;
	const field = String(readProperty(title, fieldProperty, options[fieldProperty.name]));
	return async ({ name, bytes, type }) => {
		const safe = name.replace(/[\p{Cc}<>:"/\\|?*]+/gu, '-');
		binary[field] = await context.helpers.prepareBinaryData(Buffer.from(bytes), safe, type);
	};
}

/** The options for a QR code of the operation's record; none if its records get none. */
export function qrCodeOptions(operation: CatalogueEntry): INodeProperties[] {
	const form = qrCodeForm(operation);
	const [format, ...look] = form ? shownFields(form).map(toProperty) : [];
	if (!format) return [];
	return [
		...withFileFieldOption(format),
		...look.map((property) => shownOnceAdded(format, property)),
	];
}

/**
 * The client for an item. If its options ask for a QR code of the record, the client adds one to the
 * item as a file. The name of the file holds the code, or the campaign and content of a link: many
 * files may end up in one folder or archive. Throws InputError.
 */
export function clientAddingQrCode(item: InputItem, operation: Operation): Client {
	const form = qrCodeForm(operation);
	if (!form) return item.client;
	const { context, index, hints } = item;
	const options = context.getNodeParameter('options', index, {});
	const { values, written } = readCollection(
		form.title,
		options,
		writtenParameters(context).options,
	);
	const look = readForm(form, values, {
		written,
		onLeftOut: ({ title }) => hints.leftOut(title),
	});
	parseInput(form, look);
	const addFile = createFileAdder(item, form.title);
	return withQrCode(item.client, look as IDataObject, async (code, value) => {
		const { name, mimeType, bytes } = await drawQrCode(code);
		const own = nameOf(operation, value);
		await addFile({ name: own ? `${own}-${name}` : name, bytes, type: mimeType });
	});
}

/** The code of a coupon; the campaign of a link, or the end of its path. */
function nameOf({ scannedField }: Operation, value: string): string {
	if (scannedField === 'code' || !URL.canParse(value)) return value.slice(0, maxFileNameLength);
	const { searchParams, pathname } = new URL(value);
	const tags = ['utm_campaign', 'utm_content'].map((name) => searchParams.get(name));
	const own = tags.filter(Boolean).join('-') || pathname.split('/').findLast(Boolean) || '';
	return own.slice(0, maxFileNameLength);
}

/** File systems take 255 bytes. */
export const maxFileNameLength = 60;
