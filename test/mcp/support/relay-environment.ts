import { relayVariables } from '@screen-advertising/core/relay';

/** The environment variables for a relay and one of its connector keys. */
export function relayEnvironment(
  url: string,
  { connectorKey }: { readonly connectorKey: string },
): Record<string, string> {
  return { [relayVariables.baseUrl]: url, [relayVariables.connectorKey]: connectorKey };
}
