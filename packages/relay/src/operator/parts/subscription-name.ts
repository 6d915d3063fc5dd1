/** A name as people read it: without the tag by which n8n's trigger finds its own subscriptions. */
export function shownName(name: string | null): string | null {
  return name?.replace(/ \((n8n(?:, test)?) [0-9a-f]{16}\)$/, ' ($1)') ?? null;
}
