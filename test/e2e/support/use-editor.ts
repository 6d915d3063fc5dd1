import { after, before } from 'node:test';
import { type Browser, openChromium } from './chromium.ts';
import { Editor } from './editor.ts';
import { installing, openWorld, type World } from './open-world.ts';

interface Options {
  /** In pixels. */
  readonly window?: { readonly width: number; readonly height: number };
}

/** A new n8n for the tests of a `describe`, and its owner signed in to the editor. */
export function useEditor({ window }: Options = {}) {
  const opened: { world?: World; browser?: Browser; editor?: Editor } = {};

  before(async () => {
    opened.world = await openWorld();
    opened.browser = await openChromium();
    const page = await opened.browser.context.newPage();
    if (window) await page.setViewportSize(window);
    opened.editor = new Editor(page, opened.world.api.url);
    await opened.editor.signIn();
  }, installing);

  after(async () => {
    await opened.browser?.close();
    await opened.world?.close();
  });

  const get = <Name extends keyof typeof opened>(name: Name) => {
    const found = opened[name];
    if (!found) throw new Error(`The ${name} is there only while the tests run.`);
    return found;
  };
  return {
    get world() {
      return get('world');
    },
    get browser() {
      return get('browser');
    },
    get editor() {
      return get('editor');
    },
  };
}
