/** `@screen-advertising/core/fetch`: a transport over Fetch. */
export { type FetchTransportOptions, fetchTransport } from '../transport/fetch-transport.ts';
