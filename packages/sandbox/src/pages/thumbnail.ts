import { html } from 'hono/html';
import type { StoredScreen } from '../state/stored-records.ts';

const hues: Readonly<Record<string, number>> = {
  shopping_mall: 210,
  train_station: 265,
  gym: 150,
  cafe: 28,
  shop_window: 330,
  supermarket: 95,
  cinema: 350,
  petrol_station: 48,
  roadside: 190,
};

/** A picture of a screen: its shape on a stand, in its venue's color, with name and size. */
export function thumbnail(screen: StoredScreen) {
  const { width, height } = panelSize(screen);
  const left = (480 - width) / 2;
  const top = 130 - height / 2;
  const hue = hues[screen.venue_type] ?? 220;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 320" role="img" aria-label="${screen.name}">
<defs>
<linearGradient id="wall" x2="0" y2="1"><stop stop-color="hsl(${hue} 30% 94%)"/><stop offset="1" stop-color="hsl(${hue} 25% 84%)"/></linearGradient>
<linearGradient id="panel" x2="1" y2="1"><stop stop-color="hsl(${hue} 70% 58%)"/><stop offset="1" stop-color="hsl(${hue + 40} 70% 38%)"/></linearGradient>
</defs>
<rect width="480" height="320" fill="url(#wall)"/>
<rect x="234" y="${top + height}" width="12" height="${255 - top - height}" fill="hsl(${hue} 10% 40%)"/>
<rect x="190" y="251" width="100" height="8" rx="4" fill="hsl(${hue} 10% 40%)"/>
<rect x="${left - 6}" y="${top - 6}" width="${width + 12}" height="${height + 12}" rx="8" fill="hsl(${hue} 20% 18%)"/>
<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="3" fill="url(#panel)"/>
<circle cx="${left + width * 0.72}" cy="${top + height * 0.34}" r="${Math.min(width, height) * 0.16}" fill="#fff" opacity=".85"/>
<path d="M${left} ${top + height}l${width * 0.38}-${height * 0.45} ${width * 0.24} ${height * 0.27} ${width * 0.16}-${height * 0.14} ${width * 0.22} ${height * 0.32}z" fill="#fff" opacity=".35"/>
<text x="240" y="288" font-family="system-ui, sans-serif" font-size="17" font-weight="600" text-anchor="middle" fill="hsl(${hue} 30% 20%)">${screen.name}</text>
<text x="240" y="308" font-family="system-ui, sans-serif" font-size="13" text-anchor="middle" fill="hsl(${hue} 15% 35%)">${screen.city} · ${screen.resolution_width} × ${screen.resolution_height}</text>
</svg>
`;
}

export const thumbnailHeaders = {
  'content-type': 'image/svg+xml',
  'cache-control': 'max-age=3600',
};

function panelSize({ resolution_width, resolution_height }: StoredScreen) {
  const scale = Math.min(300 / resolution_width, 200 / resolution_height);
  return {
    width: Math.round(resolution_width * scale),
    height: Math.round(resolution_height * scale),
  };
}
