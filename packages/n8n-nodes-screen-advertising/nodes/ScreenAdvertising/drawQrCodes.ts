import { formFields } from '@screen-advertising/core/forms';
import { drawQrCode, qrCodeForm, withQrCode } from '@screen-advertising/core/qr-code';
import type { IDataObject } from 'n8n-workflow';
import { toProperty } from '../../lib/properties';
import { readValue } from '../../lib/values';
import type { NodeOperation } from './operation';

/** The operation with options for a QR code of its record, which becomes a file of the item. */
export function drawQrCodes(offered: NodeOperation): NodeOperation {
	const form = qrCodeForm(offered.operation);
	if (!form) return offered;
	const fields = formFields(form);
	return {
		...offered,
		options: [...(offered.options ?? []), ...fields.map(toProperty)],
		async run(item) {
			const { context, index, binary } = item;
			const given = context.getNodeParameter('options', index, {}) as IDataObject;
			const values = fields.map((field) => [
				field.name,
				readValue(form.title, field, given[field.name], context),
			]);
			const client = withQrCode(item.client, Object.fromEntries(values), async (code) => {
				const { name, mimeType, bytes } = await drawQrCode(code);
				const { helpers } = context;
				binary.data = await helpers.prepareBinaryData(Buffer.from(bytes), name, mimeType);
			});
			return await offered.run({ ...item, client });
		},
	};
}
