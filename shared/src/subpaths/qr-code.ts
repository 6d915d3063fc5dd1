/** `@screen-advertising/core/qr-code`: QR codes of landing links and coupons. */
export { drawQrCode, type QrCode, type QrCodeFile, qrCodeBlocks } from '../qr-code/draw-qr-code.ts';
export { qrCodeForm, separateQrCode, withQrCode } from '../qr-code/with-qr-code.ts';
