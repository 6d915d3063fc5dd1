import type { Peer } from '../client/error-from-response.ts';

/** The relay, as error messages describe it. */
export const relay: Peer = {
  name: 'relay',
  onRefusal: 'Check that the connector key is complete and belongs to this relay.',
  // The relay itself never forbids a request.
  forbids: () => 'was blocked by something in front of the relay',
  onForbidden: 'Check the base URL, or ask the operator of the relay.',
  onNotFound: () => 'Check that the base URL leads to the relay.',
  // n8n permanently gives up a failed activation when the error names this header. The title of
  // nginx's page for status 401 does.
  quoted: (words) => words.replace(/uthorization/gi, 'uthentication'),
};
