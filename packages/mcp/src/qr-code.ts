import type { ContentBlock } from '@modelcontextprotocol/server';
import { drawQrCode, type QrCode } from '@screen-advertising/core/qr-code';

/** The QR code as content of a result. Models take no SVG as an image. */
export async function qrCodeContent(code: QrCode): Promise<ContentBlock> {
  const { name, mimeType, bytes } = await drawQrCode(code);
  const data = Buffer.from(bytes);
  if (code.format === 'png') return { type: 'image', data: data.toString('base64'), mimeType };
  return { type: 'resource', resource: { uri: `file:///${name}`, mimeType, text: `${data}` } };
}
