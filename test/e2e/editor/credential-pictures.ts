import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { type CredentialMistake, credentialMistakes } from '../../n8n/credential-mistakes.ts';
import type { CredentialDialog } from '../support/credential-dialog.ts';
import { useEditor } from '../support/open-world.ts';
import { credentialData } from '../support/set-up.ts';

const titles: Readonly<Record<string, string>> = {
  screenAdvertisingApi: 'Screen Advertising API',
  screenAdvertisingClientCredentialsApi: 'Screen Advertising Client Credentials API',
  screenAdvertisingWebhookApi: 'Screen Advertising Webhook API',
};

const isEmpty = ({ changes = {} }: CredentialMistake) => Object.values(changes).includes('');

describe("n8n's dialog of a credential", () => {
  // The dialog follows the width, and the pictures are shown small.
  const opened = useEditor({ window: { width: 1100, height: 900 } });

  beforeEach(() => opened.world.sandbox.reset());

  for (const [type, mistakes] of Object.entries(credentialMistakes)) {
    describe(titles[type] ?? type, () => {
      let dialog: CredentialDialog;

      /** What is right, except for these changes: an earlier one may be in a field that is left out. */
      const filled = (changes: CredentialMistake['changes'] = {}) => {
        const { world } = opened;
        const changed = mistakes.flatMap((mistake) => Object.keys(mistake.changes ?? {}));
        const emptied = Object.fromEntries(changed.map((field) => [field, '']));
        const right = credentialData(world.sandbox, world.baseUrl)[type];
        return { ...emptied, ...right, ...changes };
      };

      before(async () => {
        dialog = await opened.editor.newCredential(titles[type] ?? type);
      });

      // First, as a person leaves fields empty: afterwards the dialog still shows the last test.
      for (const mistake of mistakes.toSorted((a, b) => Number(isEmpty(b)) - Number(isEmpty(a)))) {
        const { when, changes, fault, says, shown = says, isPictured } = mistake;
        it(`says what to do about ${when}`, async () => {
          const { world } = opened;
          await dialog.fill(filled(changes));
          if (fault) world.sandbox.faults.add(fault);
          const said = isEmpty(mistake) ? await dialog.refusedToSave() : await dialog.test();
          assert.equal(said, shown);
          if (isPictured) await dialog.picture('credentials/screen-advertising-api');
        });
      }

      it('accepts what is right then', async () => {
        await dialog.fill(filled());
        assert.equal(await dialog.test(), 'Connection tested successfully');
      });
    });
  }
});
