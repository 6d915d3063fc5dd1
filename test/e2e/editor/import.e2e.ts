import '../support/end-with-children.ts';
import path from 'node:path';
import { describe, it } from 'node:test';
import { nodePackage } from '../support/paths.ts';
import { useEditor } from '../support/use-editor.ts';
import { waitFor } from '../support/wait.ts';

const recipe = path.join(nodePackage, 'examples/welcome-coupon-for-referred-user.json');

/** One of each kind, whichever the recipe's node was set to. */
const choices = {
  'User Registered': 'Sandbox, signing secret',
  'Look Up User': 'Sandbox, client credentials',
  'Create Coupon': 'Sandbox, API key',
};

describe("a recipe that is imported in n8n's editor", () => {
  const opened = useEditor();

  const marked = async (count: number) => {
    const what = `${count} red triangles`;
    await waitFor({ what, withinMs: 30_000 }, async () => {
      return (await opened.editor.issues.count()) === count;
    });
  };

  it('has a red triangle on each node until its credential is chosen, and then starts on an event', async () => {
    const { editor, world } = opened;
    await editor.importFile(recipe);
    await marked(3);
    for (const [nth, [node, credential]] of Object.entries(choices).entries()) {
      await editor.openNode(node);
      await editor.showCredentials();
      await editor.page.getByText(credential).last().click();
      await editor.closeNode();
      await marked(2 - nth);
    }
    await editor.openNode('User Registered');
    const url = await editor.productionUrl();
    await editor.closeNode();
    await editor.publish();
    await world.api.registered(url, 'User Registered');
    world.sandbox.webhooks.add({ url });
    await world.sandbox.fire('user.registered');
    await waitFor({ what: 'the coupon', withinMs: 60_000 }, () =>
      world.sandbox.coupons.list().some(({ code }) => code.startsWith('WELCOME-')),
    );
  });
});
