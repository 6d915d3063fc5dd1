/** A number above 0 as an option or an expression gave it, which may be text, or nothing. */
export function positive(given: unknown, otherwise: number): number {
	const value = Number(given ?? otherwise);
	return value > 0 ? value : otherwise;
}
