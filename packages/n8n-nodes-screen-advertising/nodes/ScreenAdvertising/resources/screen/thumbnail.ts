import type { Screen } from '@screen-advertising/core';
import { type ByteStream, readBody } from '@screen-advertising/core/platform';
import { NodeOperationError } from 'n8n-workflow';
import { notSent } from '../../../../lib/transport/notSent';
import { userAgent } from '../../../../lib/transport/transport';
import type { Item } from '../../operation';

const timeoutMs = 30_000;

/** Adds the picture of a screen as a file. It may be anywhere, so no credential is sent. */
export async function downloadThumbnail(
	{ context, index, signal, hints, binary }: Item,
	{ id, thumbnail_url: url }: Screen,
): Promise<void> {
	if (!url || !/^https?:\/\//.test(url)) {
		hints.add(`The screen "${id}" has no thumbnail.`, 'thumbnail');
		return;
	}
	const { helpers } = context;
	const timeout = AbortSignal.timeout(timeoutMs);
	const failed = (reason: string) =>
		new NodeOperationError(context.getNode(), `The thumbnail of "${id}" could not be downloaded`, {
			itemIndex: index,
			description: `${reason} Run the node again, or remove the option 'Download Thumbnail'.`,
		});
	const download = async () => {
		const { statusCode, headers, body } = await helpers.httpRequest({
			url,
			headers: userAgent,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: timeoutMs,
			abortSignal: signal ? AbortSignal.any([timeout, signal]) : timeout,
		});
		if (statusCode !== 200) throw failed(`Its address responded with status ${statusCode}.`);
		const type = String(headers['content-type'] ?? '').split(';')[0];
		return { bytes: await readBody(body as ByteStream, url), type };
	};
	const { bytes, type } = await download().catch((error: unknown) => {
		if (error instanceof NodeOperationError) throw error;
		throw failed(notSent('Its address did not respond with a picture', error));
	});
	const [name = id] = new URL(url).pathname.split('/').slice(-1);
	binary.data = await helpers.prepareBinaryData(Buffer.from(bytes), name, type);
}
