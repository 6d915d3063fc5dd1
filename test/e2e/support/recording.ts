import type { CDPSession, Page } from 'playwright-core';
import { encodeVideo } from './encode-video.ts';
import { type Frame, type Scene, shotsOf } from './scene.ts';

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
