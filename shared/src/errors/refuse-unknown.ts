export { refuseUnknown } from '#habits';
