import type { Operation, Screen } from '@screen-advertising/core';
import { readForm, shownFields } from '@screen-advertising/core/forms';
import { type ByteStream, parseInput, readBody } from '@screen-advertising/core/platform';
import { drawQrCode, qrCodeForm, withQrCode } from '@screen-advertising/core/qr-code';
import { type IDataObject, type INodeProperties, NodeOperationError } from 'n8n-workflow';
import { shownWith, toProperty } from '../../lib/properties';
import { userAgent, notSent } from '../../lib/transport';

import { readCollection, writtenIn } from '../../lib/values';
import type { Item, NodeOperation } from './operation';

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
export const withField = (option: INodeProperties): INodeProperties[] => [
	option,
	shownWith(option, fieldProperty),
];

interface File {
	/** Characters that file systems refuse are replaced. */
	readonly name: string;
	readonly bytes: Uint8Array;
	readonly type: string;
}

async function addFile({ context, index, binary }: Item, { name, bytes, type }: File) {
	const { [fieldProperty.name]: given } = context.getNodeParameter('options', index, {}) as Options;
	const field = String(given ?? '').trim() || 'data';
	const safe = name.replace(/[\p{Cc}<>:"/\\|?*]+/gu, '-');
	binary[field] = await context.helpers.prepareBinaryData(Buffer.from(bytes), safe, type);
}

type Options = Readonly<Record<string, unknown>>;

/**
 * The operation with options for a QR code of its record, which becomes a file of the item. Its name
 * holds the code, or the campaign and content of a link: many files may end up in one folder or archive.
 */
export function drawQrCodes(offered: NodeOperation): NodeOperation {
	const form = qrCodeForm(offered.operation);
	if (!form) return offered;
	const [format, ...others] = shownFields(form).map(toProperty);
	if (!format) return offered;
	const look = others.map((property) => shownWith(format, property));
	return {
		...offered,
		options: [...(offered.options ?? []), ...withField(format), ...look],
		prepare(item) {
			const { context, index, hints } = item;
			const options = context.getNodeParameter('options', index, {});
			const { values, written } = readCollection(form.title, options, writtenIn(context).options);
			const look = readForm(form, values, {
				written,
				onLeftOut: ({ title }) => hints.leftOut(title),
			});
			parseInput(form, look);
			const client = withQrCode(item.client, look as IDataObject, async (code, value) => {
				const { name, mimeType, bytes } = await drawQrCode(code);
				const own = nameOf(offered.operation as Operation, value);
				await addFile(item, { name: own ? `${own}-${name}` : name, bytes, type: mimeType });
			});
			return offered.prepare({ ...item, client });
		},
	};
}

/** The code of a coupon; the campaign of a link, or the end of its path. */
function nameOf({ scannedField }: Operation, value: string): string {
	if (scannedField === 'code' || !URL.canParse(value)) return value.slice(0, maxName);
	const { searchParams, pathname } = new URL(value);
	const tags = ['utm_campaign', 'utm_content'].map((name) => searchParams.get(name));
	const own = tags.filter(Boolean).join('-') || pathname.split('/').findLast(Boolean) || '';
	return own.slice(0, maxName);
}

/** File systems take 255 bytes. */
const maxName = 60;

const timeoutMs = 30_000;

/** Adds the picture of a screen as a file. It may be anywhere, so no credential is sent. */
export async function downloadThumbnail(
	item: Item,
	{ id, thumbnail_url: url }: Screen,
): Promise<void> {
	const { context, index, signal, hints } = item;
	if (!url || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
		hints.add(`The screen "${id}" has no thumbnail.`, 'thumbnail');
		return;
	}
	const timeout = AbortSignal.timeout(timeoutMs);
	const failed = (reason: string) =>
		new NodeOperationError(context.getNode(), `The thumbnail of "${id}" could not be downloaded`, {
			itemIndex: index,
			description: `${reason} Run the node again, or remove the option 'Download Thumbnail'.`,
		});
	const download = async () => {
		const { statusCode, headers, body } = await context.helpers.httpRequest({
			url,
			headers: userAgent,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: timeoutMs,
			abortSignal: signal ? AbortSignal.any([timeout, signal]) : timeout,
		});
		if (statusCode !== 200) throw failed(`Its address responded with status ${statusCode}.`);
		const said = String(headers['content-type'] ?? '').split(';')[0] ?? '';
		return { bytes: await readBody(body as ByteStream, url), said: said.trim().toLowerCase() };
	};
	const { bytes, said } = await download().catch((error: unknown) => {
		if (error instanceof NodeOperationError) throw error;
		throw failed(notSent('Its address did not respond with a picture', error));
	});
	const type = pictureType(bytes, said);
	if (!type) {
		const what =
			bytes.byteLength === 0 ? 'nothing' : `${said || 'something'} that is not a picture`;
		throw failed(`Its address responded with ${what}.`);
	}
	await addFile(item, { name: pictureName(String(id), url, type), bytes, type });
}

const signatures: readonly (readonly [start: RegExp, type: string])[] = [
	[/^\x89PNG\r\n/, 'image/png'],
	[/^\xff\xd8\xff/, 'image/jpeg'],
	[/^GIF8[79]a/, 'image/gif'],
	[/^RIFF[^]{4}WEBP/, 'image/webp'],
	[/^[^]{4}ftypavi[fs]/, 'image/avif'],
	[/^\s*(<\?xml[^>]*>\s*)?(<!--[^]*?-->\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i, 'image/svg+xml'],
];

/**
 * The type of a picture by its first bytes, whatever the response says, or as it says for one of
 * another kind; undefined for anything else: a page that asks to sign in has status 200, too.
 */
function pictureType(bytes: Uint8Array, said: string): string | undefined {
	const start = String.fromCharCode(...bytes.subarray(0, 1000));
	const known = signatures.find(([signature]) => signature.test(start));
	if (known) return known[1];
	const isText = /^\s*([<{[]|$)/.test(start);
	return said.startsWith('image/') && !isText ? said : undefined;
}

/** The screen, and its picture's own name. */
function pictureName(id: string, url: string, type: string): string {
	const [own = ''] = new URL(url).pathname.split('/').slice(-1);
	const name = [id, decoded(own)].filter(Boolean).join('-').slice(-maxName);
	const [, ending = ''] = /\/(\w+)/.exec(type) ?? [];
	return /\.\w{2,5}$/.test(name) ? name : `${name}.${ending.replace('jpeg', 'jpg')}`;
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
