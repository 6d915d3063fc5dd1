import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { useEditor } from '../support/use-editor.ts';
import { waitFor } from '../support/wait.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** What each entry of the panel must set in the node that it adds. */
const entries: Readonly<Record<string, Readonly<Record<string, Parameters>>>> = {
  'Screen Advertising': {
    'On campaign paid': { events: ['campaign.paid'] },
    'On campaign request created': { events: ['campaign_request.created'] },
    'On campaign request rejected': { events: ['campaign_request.rejected'] },
    'On coupon redeemed': { events: ['coupon.redeemed'] },
    'On relay problem': { events: ['relay.problem'] },
    'On user registered': { events: ['user.registered'] },
    'Get campaign request': { resource: 'campaignRequest', operation: 'get' },
    'Get many campaign requests': { resource: 'campaignRequest', operation: 'getAll' },
    'Create coupon': { resource: 'coupon', operation: 'create' },
    'Get coupon': { resource: 'coupon', operation: 'get' },
    'Revoke coupon': { resource: 'coupon', operation: 'revoke' },
    'Create landing link': { resource: 'landingLink', operation: 'create' },
    'Find available screens': { resource: 'screen', operation: 'findAvailable' },
    'Get screen': { resource: 'screen', operation: 'get' },
    'Get screen availability': { resource: 'screen', operation: 'getAvailability' },
    'Get many screens': { resource: 'screen', operation: 'getAll' },
    'Look up user': { resource: 'user', operation: 'lookUp' },
  },
  'Screen Advertising Polling': {
    'On became abandoned': { events: ['campaign_request.abandoned'] },
    'On became converted': { events: ['campaign_request.converted'] },
    'On became no inventory': { events: ['campaign_request.no_inventory'] },
    'On became rejected': { events: ['campaign_request.rejected'] },
    'On new campaign request': { events: ['campaign_request.created'] },
    'On screen availability falls below': { events: ['screen.availability_falls_below'] },
    'On screen availability rises above': { events: ['screen.availability_rises_above'] },
  },
};

/** What n8n leaves out of a copied node, because it is the default. */
const defaultOperations: Parameters = {
  campaignRequest: 'getAll',
  coupon: 'create',
  landingLink: 'create',
  screen: 'getAll',
  user: 'lookUp',
};

function withDefaults({ resource = 'screen', ...given }: Parameters): Parameters {
  return {
    resource,
    operation: defaultOperations[String(resource)],
    events: ['campaign_request.created'],
    ...given,
  };
}

describe("the panel of nodes in n8n's editor", () => {
  const opened = useEditor();

  before(async () => {
    await opened.browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  for (const word of ['availability', 'billboard', 'dooh']) {
    it(`finds the node by "${word}"`, async () => {
      const { editor } = opened;
      await editor.emptyWorkflow();
      await editor.search(word);
      const [first] = await editor.found();
      assert.equal(first, 'Screen Advertising');
      await editor.page.keyboard.press('Escape');
    });
  }

  for (const [node, expected] of Object.entries(entries)) {
    it(`lists each trigger and action of ${node}`, async () => {
      const { editor } = opened;
      await editor.emptyWorkflow();
      await editor.open(node);
      const names = Object.keys(expected);
      // While the panel slides in, the one before is still there.
      const isListed = async () => isDeepStrictEqual(await editor.found(), names);
      await waitFor({ what: `only ${names.join(', ')}`, withinMs: 30_000 }, isListed);
    });

    for (const [entry, parameters] of Object.entries(expected)) {
      it(`"${entry}" of ${node} adds what it says`, async () => {
        const { editor } = opened;
        await editor.emptyWorkflow();
        await editor.open(node);
        await editor.choose(entry);
        await editor.closeNode();
        const added = (await editor.copyNodes()).at(-1);
        const given = withDefaults(added?.parameters ?? {});
        const names = Object.keys(parameters);
        assert.deepEqual(Object.fromEntries(names.map((name) => [name, given[name]])), parameters);
        await editor.clear();
      });
    }
  }
});
