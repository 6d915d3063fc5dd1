/** Credentials of one access, of either kind. */
export type Credentials =
  | { readonly apiKey: string }
  | { readonly clientId: string; readonly clientSecret: string };

/** The form of a connection as a person fills it in. */
export function connectionForm(
  baseUrl: string,
  credentials: Credentials,
  fields: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const access =
    'apiKey' in credentials
      ? { api_key: credentials.apiKey }
      : { client_id: credentials.clientId, client_secret: credentials.clientSecret };
  return { base_url: baseUrl, ...access, ...fields };
}
