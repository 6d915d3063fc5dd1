import { operations, type Screen } from '@screen-advertising/core';
import { type ByteStream, readBody } from '@screen-advertising/core/platform';
import { type IDataObject, type INodeProperties, NodeOperationError } from 'n8n-workflow';
import { notSentMessage, userAgentHeader } from '../../../../lib/transport';
import { readProperty } from '../../../../lib/values';
import {
	type FileAdder,
	createFileAdder,
	maxFileNameLength,
	withFileFieldOption,
} from '../../files';
import { operationFromCatalogue } from '../../fromCatalogue';
import type { InputItem } from '../../operation';
import { screenOutput } from './screenOutput';

const operation = operations['screen.get'];

const thumbnailOption: INodeProperties = {
	displayName: 'Download Thumbnail',
	name: 'thumbnail',
	type: 'boolean',
	// Adding the option turns it on; without it, it is off.
	default: true,
	description: 'Whether to add the picture of the screen to the output, as a file',
};

export const getScreen = operationFromCatalogue(operation, {
	output: screenOutput,
	options: withFileFieldOption(thumbnailOption),
	prepare(item, input) {
		const { client, context, index, signal } = item;
		const { thumbnail } = context.getNodeParameter('options', index, {}) as IDataObject;
		const isWanted = readProperty(operation.title, thumbnailOption, thumbnail, false);
		const addFile = createFileAdder(item, operation.title);
		return async () => {
			const screen = await client.call(operation, input, { signal });
			if (isWanted === true) await downloadThumbnail(item, screen, addFile);
			return screen;
		};
	},
});

const timeoutMs = 30_000;

/** Adds the picture of a screen as a file. It may be anywhere, so no credential is sent. */
async function downloadThumbnail(
	item: InputItem,
	{ id, thumbnail_url: url }: Screen,
	addFile: FileAdder,
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
			headers: userAgentHeader,
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
		throw failed(notSentMessage('Its address did not respond with a picture', error));
	});
	const type = pictureType(bytes, said);
	if (!type) {
		const what =
			bytes.byteLength === 0 ? 'nothing' : `${said || 'something'} that is not a picture`;
		throw failed(`Its address responded with ${what}.`);
	}
	await addFile({ name: pictureName(String(id), url, type), bytes, type });
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
	const name = [id, decoded(own)].filter(Boolean).join('-').slice(-maxFileNameLength);
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
