/** `#crypto` in Node.js, Bun and Deno. */
export { createHash, createHmac, timingSafeEqual } from 'node:crypto';
