/**
 * The ID of a record as text, to compare it or to use it in a path; undefined without one. The
 * contract shows text (section 2), but a service may send numbers: records keep what it sent.
 */
export function recordId({ id }: { readonly id?: unknown }): string | undefined {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id !== '' ? id : undefined;
}
