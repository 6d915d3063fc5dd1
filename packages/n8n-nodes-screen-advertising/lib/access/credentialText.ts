/** A field of any credential. An expression may return anything; white space comes from pasting. */
export function credentialText(value: unknown): string {
	return String(value ?? '').trim();
}
