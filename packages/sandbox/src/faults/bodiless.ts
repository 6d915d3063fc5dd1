/** Statuses whose answers have no body by definition. */
export const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);
