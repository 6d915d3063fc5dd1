import { expect, it } from '@jest/globals';
import { readQrCode } from '../support/read-qr-code.ts';
import { onPlatforms } from './on-platforms.ts';

const email = 'new.lead@example.com';
const request = { id: 'cr_0900', email, city: 'Berlin' };
const nothing = [{ handedOver: [] }];

const textIn = async (picture: File): Promise<string> =>
  readQrCode({ mimeType: picture.type, bytes: await picture.bytes() });

onPlatforms('screens-near-new-lead', (open) => {
  it('a lead gets the screens near their city and a link by email, nearest first', async () => {
    const { sandbox, recipe } = await open();
    const here = { city: 'Berlin', latitude: 52.52, longitude: 13.405, used_sov_pct: 0 };
    sandbox.screens.add({ ...here, id: 'scr_here', name: 'Tower' });
    const runs = await recipe.happen('campaign_request.created', request);
    expect(runs).toMatchObject([
      {
        handedOver: [
          {
            To: email,
            Subject: 'Screens near you',
            Body: expect.stringMatching(
              /^Near you: Tower \(0 km\).*\. Start here: http.*utm_campaign=screens_nearby&utm_content=cr_0900/,
            ),
          },
        ],
      },
    ]);
    const [
      {
        handedOver: [mail],
        files: [code] = [],
      } = { handedOver: [] },
    ] = runs;
    expect(`${mail?.Body}`).toContain(`Start here: ${code && (await textIn(code))}`);
  });

  it.each([
    ['an unknown city', { city: 'Atlantis' }],
    ['no city', { city: '' }],
  ])('a lead from %s gets no email, and the run stops without an error', async (_what, city) => {
    const { recipe } = await open();
    expect(await recipe.happen('campaign_request.created', { ...request, ...city })).toEqual(
      nothing,
    );
  });

  it('a lead without a screen nearby gets no email', async () => {
    const { sandbox, recipe } = await open();
    for (const { id, city } of sandbox.screens.list()) {
      if (city === 'Berlin') sandbox.screens.remove(id);
    }
    expect(await recipe.happen('campaign_request.created', request)).toEqual(nothing);
  });
});
