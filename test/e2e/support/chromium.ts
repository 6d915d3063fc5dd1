import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, selectors } from 'playwright-core';
import { fromDebian } from './machine.ts';

// n8n marks its elements so.
selectors.setTestIdAttribute('data-test-id');

export interface Browser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** Debian's Chromium without a window, large enough for n8n's editor with its three panels. */
export async function openChromium(args: readonly string[] = []): Promise<Browser> {
  const executablePath = await fromDebian('chromium');
  const profile = await mkdtemp(path.join(tmpdir(), 'chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport: { width: 1600, height: 1000 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Chromium refuses its sandbox to root, which is who runs a container.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...args,
    ],
  });
  // Only against hanging for ever: a busy machine is slow.
  context.setDefaultTimeout(300_000);
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
