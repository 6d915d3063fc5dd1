/** What an address must be to receive deliveries; undefined if it already is. */
export function whatAddressMustBe(url: string): string | undefined {
  const address = URL.parse(url);
  if (!address || !['http:', 'https:'].includes(address.protocol)) {
    return 'an http or https address such as http://127.0.0.1:5678/webhook/demo';
  }
  if (!canBeDecoded(address.username) || !canBeDecoded(address.password)) {
    return 'an address that writes a percent sign in its username or password as %25';
  }
  return undefined;
}

/** Node decodes both before it sends them. */
function canBeDecoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
