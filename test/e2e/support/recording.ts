import type { CDPSession, Page } from 'playwright-core';
import { encodeVideo } from './encode-video.ts';

const picture = { format: 'jpeg', quality: 85 } as const;

/** Records what a page shows, scene by scene. */
export class Recording {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #scenes: Scene[] = [];
  #frames: Frame[] = [];

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  static async start(page: Page): Promise<Recording> {
    const session = await page.context().newCDPSession(page);
    const recording = new Recording(page, session);
    session.on('Page.screencastFrame', ({ data, sessionId, metadata }) => {
      recording.#frames.push({ data, at: (metadata.timestamp ?? 0) * 1_000 });
      // Fails only when the page is already closed.
      session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
    });
    await session.send('Page.startScreencast', picture);
    return recording;
  }

  /** Shows one scene under a caption, until it is complete. */
  async scene(caption: string, play: () => Promise<unknown>): Promise<void> {
    this.#frames = [];
    await play();
    const { format: type, quality } = picture;
    const last = (await this.#page.screenshot({ type, quality })).toString('base64');
    this.#scenes.push({ caption, frames: this.#frames, last });
  }

  /** Returns the length in seconds. */
  async save(file: string): Promise<number> {
    await this.#session.send('Page.stopScreencast');
    return await encodeVideo(this.#page.context(), this.#scenes.flatMap(shotsOf), file);
  }
}

/** What a page showed from one moment on. */
interface Frame {
  /** JPEG in base64. */
  readonly data: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What happens under one caption. */
interface Scene {
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
function shotsOf({ caption, frames, last }: Scene): Shot[] {
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
