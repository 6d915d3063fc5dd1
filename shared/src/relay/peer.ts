import type { Peer } from '../client/error-from-response.ts';

/** The relay, in the words of errors. */
export const relay: Peer = {
  name: 'relay',
  onRefusal: 'Check that the connector key is complete and belongs to this relay.',
  // The relay itself forbids nothing.
  forbids: () => 'was blocked by something in front of the relay',
  onForbidden: 'Check the base URL, or ask the operator of the relay.',
  onNotFound: () => 'Check that the base URL leads to the relay.',
  // n8n gives up a failed activation for good when its error names this header, as the title of
  // nginx's page for status 401 does.
  quoted: (words) => words.replace(/uthorization/gi, 'uthentication'),
};
