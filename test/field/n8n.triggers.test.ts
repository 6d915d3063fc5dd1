import { describe, expect, it } from '@jest/globals';
import { created, listed, rises, usePolledService } from '../n8n/polling-bench.ts';
import { createMain } from '../n8n/publishing.ts';

const service = usePolledService();
const requests = () =>
  service.sandbox.journal
    .list()
    .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);

/** The first poll is part of publishing. */
async function publishing(events: unknown, parameters: object) {
  service.sandbox.journal.clear();
  const poller = service.publish(events as string[], parameters as never);
  const items = await poller.poll().catch((error: Error) => error.message);
  return { items, sent: requests() };
}

const typo = '={{ $vars.typo }}';
const allScreens = 'GET /screens?limit=200';

describe('a filter of the polling trigger that came out empty', () => {
  it.each([
    [created, { filters: { industry: typo } }, 'Industry'],
    [listed, { screenFilters: { city: typo } }, 'City'],
    [listed, { screenFilters: { near: '52.5, 13.4', radius_km: typo } }, 'Radius in Kilometers'],
    [rises, { screenFilters: { country: typo } }, 'Country'],
  ])('fails: %s with %j', async (event, parameters, title) => {
    expect(await publishing([event], parameters)).toEqual({
      items: expect.stringContaining(
        `'${title}' came out empty: correct what fills it, or set 'When a Condition Is Empty' to 'Leave It Out'`,
      ),
      sent: [],
    });
  });

  it.each([
    ['find_nothing', []],
    ['leave_out', [allScreens]],
  ])('does what the user of the editor chose: %s', async (whenEmpty, sent) => {
    const parameters = { screenFilters: { city: typo }, options: { whenEmpty } };
    expect(await publishing([listed], parameters)).toEqual({ items: [], sent });
  });

  it('does not keep other events from starting the workflow', async () => {
    const options = { whenEmpty: 'find_nothing' };
    const poller = await service.published([created, listed], {
      screenFilters: { city: typo },
      options,
    });
    service.add({ id: 'cr_new' });
    expect(await poller.poll()).toMatchObject([{ json: { data: { id: 'cr_new' } } }]);
  });

  it('is refused if it cannot be read, or needs a place', async () => {
    const filters = [
      [{ near: 'Berlin' }, "'Near' must be a latitude and a longitude"],
      [{ radius_km: 2 }, "'Near' is required"],
    ] as const;
    for (const [screenFilters, message] of filters) {
      expect(await publishing([listed], { screenFilters })).toEqual({
        items: expect.stringContaining(message),
        sent: [],
      });
    }
  });

  it('is not one that was left empty', async () => {
    expect(await publishing([listed], { screenFilters: { city: ' ' } })).toEqual({
      items: [],
      sent: [allScreens],
    });
  });
});

describe('Trigger On of the polling trigger', () => {
  it.each([created, `["${created}"]`, 'New Campaign Request', `={{ "${created}" }}`])(
    'may be a text: %s',
    async (events) => {
      const { items, sent } = await publishing(events, {});
      expect(items).toEqual([]);
      expect(sent).toEqual(['GET /campaign-requests']);
    },
  );

  it.each(['screen.listet', { event: created }, [created, 'nothing']])(
    'is refused when publishing: %j',
    async (events) => {
      expect(await publishing(events, {})).toEqual({
        items: expect.stringMatching(/'?Trigger On'? must be some of .*New Campaign Request/),
        sent: [],
      });
    },
  );

  it.each([typo, '={{ "" }}', []])('is required: %j', async (events) => {
    expect(await publishing(events, {})).toEqual({ items: "'Trigger On' is required", sent: [] });
  });

  it('is read together with options, which may be refused, too', async () => {
    expect(await publishing([created], { options: { catchUp: 'perhaps' } })).toEqual({
      items: expect.stringMatching(/'?Include Missed Events'? must be true or false/),
      sent: [],
    });
  });
});

describe('Trigger On of the webhook trigger', () => {
  const publish = (parameters: object) => {
    const node = { id: 'trigger-1', type: 'screenAdvertisingTrigger', typeVersion: 1.1 };
    const options = {
      database: { staticData: '{}' },
      webhookUrl: () => 'https://n8n.example',
    };
    const trigger = { ...node, parameters: { delivery: 'direct', ...parameters } };
    return createMain(service.engine, trigger, options).publish();
  };

  it.each(['coupon.redeemed', '={{ "coupon.redeemed" }}', 'Coupon Redeemed'])(
    'may be a text: %s',
    async (events) => {
      await expect(publish({ events })).resolves.toBeUndefined();
    },
  );

  it.each([
    [{ events: 'coupon.redeemt' }, /'?Trigger On'? must be some of/],
    [{ events: typo }, /'?Trigger On'? is required/],
    [{ events: ['coupon.redeemed'], options: { includeHeaders: 'perhaps' } }, /must be true/],
  ])('is refused when publishing, as options are: %j', async (parameters, message) => {
    await expect(publish(parameters)).rejects.toThrow(message);
  });
});
