/** `@screen-advertising/core/undici`: a transport over undici, which your project installs. */
export * from '../transport/undici-transport.ts';
