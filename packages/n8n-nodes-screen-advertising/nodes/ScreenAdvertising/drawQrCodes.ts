import { readForm, shownFields } from '@screen-advertising/core/forms';
import { parseInput } from '@screen-advertising/core/platform';
import { drawQrCode, qrCodeForm, withQrCode } from '@screen-advertising/core/qr-code';
import type { IDataObject } from 'n8n-workflow';
import { shownWith, toProperty } from '../../lib/properties';
import { readCollection, writtenIn } from '../../lib/values';
import type { NodeOperation } from './operation';

/** The operation with options for a QR code of its record, which becomes a file of the item. */
export function drawQrCodes(offered: NodeOperation): NodeOperation {
	const form = qrCodeForm(offered.operation);
	if (!form) return offered;
	const [format, ...others] = shownFields(form).map(toProperty);
	if (!format) return offered;
	const look = others.map((property) => shownWith(format, property));
	return {
		...offered,
		options: [...(offered.options ?? []), format, ...look],
		prepare(item) {
			const { context, index, binary, hints } = item;
			const options = context.getNodeParameter('options', index, {});
			const { values, written } = readCollection(form.title, options, writtenIn(context).options);
			const look = readForm(form, values, {
				written,
				onLeftOut: ({ title }) => hints.leftOut(title),
			});
			parseInput(form, look);
			const client = withQrCode(item.client, look as IDataObject, async (code) => {
				const { name, mimeType, bytes } = await drawQrCode(code);
				const { helpers } = context;
				binary.data = await helpers.prepareBinaryData(Buffer.from(bytes), name, mimeType);
			});
			return offered.prepare({ ...item, client });
		},
	};
}
