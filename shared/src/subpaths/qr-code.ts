/** `@screen-advertising/core/qr-code`: QR codes of landing links and coupons. */
export {
  drawQrCode,
  drawQrCodeForTerminal,
  type QrCode,
  type QrCodeFile,
} from '../qr-code/draw-qr-code.ts';
export { qrCodeForm, separateQrCodeFields, withQrCode } from '../qr-code/with-qr-code.ts';
