/** The value after `Bearer`; undefined when there is none. */
export function readBearer(headers: Headers): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
}
