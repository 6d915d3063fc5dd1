import type { StoredScreen } from '../state/records.ts';

export const thumbnailPath = '/thumbnails';

/** A screen as the service shows it (section 2.1). */
export function screenRecord(
  { bookable: _bookable, used_sov_pct: _used, position: _position, ...screen }: StoredScreen,
  origin: string,
): Record<string, unknown> {
  return {
    ...screen,
    thumbnail_url: `${origin}${thumbnailPath}/${encodeURIComponent(screen.id)}.svg`,
  };
}
