import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  type CredentialMistake,
  credentialMistakes,
  pictureOf,
} from '../../n8n/credential-mistakes.ts';
import { type Browser, openChromium } from '../support/chromium.ts';
import type { CredentialDialog } from '../support/credential-dialog.ts';
import { Editor } from '../support/editor.ts';
import { openWorld, type World } from '../support/open-world.ts';
import { credentialData } from '../support/set-up.ts';

const installing = { timeout: 1_200_000 };

const titles: Readonly<Record<string, string>> = {
  screenAdvertisingApi: 'Screen Advertising API',
  screenAdvertisingClientCredentialsApi: 'Screen Advertising Client Credentials API',
  screenAdvertisingWebhookApi: 'Screen Advertising Webhook API',
};

const isEmpty = ({ changes = {} }: CredentialMistake) => Object.values(changes).includes('');

describe("n8n's dialog of a credential", () => {
  let world: World;
  let browser: Browser;
  let editor: Editor;

  before(async () => {
    world = await openWorld();
    browser = await openChromium();
    const page = await browser.context.newPage();
    // The dialog follows the width, and the pictures are shown small.
    await page.setViewportSize({ width: 1100, height: 900 });
    editor = new Editor(page, world.api.url);
    await editor.signIn();
  }, installing);

  beforeEach(() => world.sandbox.reset());

  after(async () => {
    await browser?.close();
    await world?.close();
  });

  for (const [type, mistakes] of Object.entries(credentialMistakes)) {
    describe(titles[type] ?? type, () => {
      let dialog: CredentialDialog;

      before(async () => {
        dialog = await editor.newCredential(titles[type] ?? type);
      });

      // First, as a person leaves fields empty: afterwards the dialog still shows the last test.
      for (const mistake of mistakes.toSorted((a, b) => Number(isEmpty(b)) - Number(isEmpty(a)))) {
        const { when, changes, fault, says, shown = says, isPictured } = mistake;
        it(`says what to do about ${when}`, async () => {
          const right = credentialData(world.sandbox, world.baseUrl)[type];
          await dialog.fill({ ...right, ...changes });
          if (fault) world.sandbox.faults.add(fault);
          const said = isEmpty(mistake) ? await dialog.refusedToSave() : await dialog.test();
          assert.equal(said, shown);
          if (isPictured) await dialog.picture(pictureOf(type));
        });
      }

      it('accepts what is right then', async () => {
        await dialog.fill(credentialData(world.sandbox, world.baseUrl)[type] ?? {});
        assert.equal(await dialog.test(), 'Connection tested successfully');
      });
    });
  }
});
