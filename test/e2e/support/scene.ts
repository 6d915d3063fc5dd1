/** What a page showed from one moment on. */
export interface Frame {
  /** JPEG in base64. */
  readonly data: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What happens under one caption. */
export interface Scene {
  readonly caption: string;
  readonly frames: readonly Frame[];
  /** How the page looks once the scene is complete. */
  readonly last: string;
}

/** A picture of the video. */
export interface Shot {
  readonly caption: string;
  readonly data: string;
  readonly seconds: number;
}

/** How long a scene plays at most, and how long it stays once it is complete. */
const playMs = 12_000;
const stayMs = 5_000;

/** Waits are cut to this. */
const longestMs = 700;

/** Frames that show for less are left out. */
const shortestMs = 100;

/**
 * The pictures of a scene. Its length is bounded whatever the machine was busy with while it was
 * played: waits are cut, and what still takes too long plays faster.
 */
export function shotsOf({ caption, frames, last }: Scene): Shot[] {
  const waits = frames.map(({ data, at }, index) => {
    const next = frames[index + 1]?.at ?? at + longestMs;
    return { data, ms: Math.min(Math.max(next - at, 0), longestMs) };
  });
  const total = waits.reduce((sum, { ms }) => sum + ms, 0);
  const speed = Math.max(1, total / playMs);
  const shots: Shot[] = [];
  let saved = 0;
  for (const { data, ms } of waits) {
    saved += ms / speed;
    if (saved < shortestMs) continue;
    shots.push({ caption, data, seconds: saved / 1000 });
    saved = 0;
  }
  return [...shots, { caption, data: last, seconds: (saved + stayMs) / 1000 }];
}
