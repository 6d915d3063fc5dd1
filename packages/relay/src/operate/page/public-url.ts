import { RelayError } from '../../base/relay-error.ts';

/** Why links under this address would be broken; undefined if they work. */
export function publicUrlFault(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    // Without the text: before a colon, a credential may look like a scheme.
    return 'PUBLIC_URL must be an address such as https://relay.example.com.';
  }
  const part =
    ((url.username !== '' || url.password !== '') && 'the username and password') ||
    (text.includes('?') && 'the part after "?"') ||
    (text.includes('#') && 'the part after "#"');
  return part
    ? `PUBLIC_URL must be an address such as https://relay.example.com. Leave out ${part}.`
    : undefined;
}

export function checkPublicUrl(text: string): void {
  const fault = publicUrlFault(text);
  if (fault !== undefined) throw new RelayError('configuration', fault);
}
