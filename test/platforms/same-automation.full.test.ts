import { describe, expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { type AutomationRecords, type OpenPlatform, runAutomation } from './automation.ts';
import { openBareClient } from './bare-client.ts';
import { openN8n } from './n8n.ts';
import { openZapier } from './zapier.ts';

/** Each platform gets a separate service with the same records, frozen at the same moment. */
const startAt = Date.now();

async function recordsOn(open: OpenPlatform): Promise<AutomationRecords> {
  const sandbox = createSandbox({ clock: 'frozen', startAt });
  const { baseUrl } = await sandbox.listen();
  const platform = await open(baseUrl, sandbox.accesses[0]);
  try {
    return comparable(await runAutomation(sandbox, platform), baseUrl);
  } finally {
    await platform.close();
    await sandbox.close();
  }
}

/**
 * Each service generates its own event IDs and has its own port; n8n also shows when a delivery was
 * signed.
 */
function comparable(records: AutomationRecords, baseUrl: string): AutomationRecords {
  const text = JSON.stringify(records)
    .replaceAll(new URL(baseUrl).host, 'service.example')
    .replace(/evt_[0-9a-f-]+/g, 'evt');
  return JSON.parse(text, (name, value) => (name === 'timestamp' ? undefined : value));
}

describe('the same automation', () => {
  it('returns the records of the service on the bare client', async () => {
    const { rejection, user, coupon, redemption, link } = await recordsOn(openBareClient);
    expect(rejection).toMatchObject({ id: 'evt', type: 'campaign_request.rejected' });
    expect(user).toMatchObject({ user_id: expect.any(String) });
    expect(coupon).toMatchObject({ code: 'COME-BACK-15', discount_value: 15, status: 'active' });
    expect(redemption).toMatchObject({ type: 'coupon.redeemed', data: { code: 'COME-BACK-15' } });
    expect(link).toMatchObject({ url: expect.stringContaining('utm_campaign=win-back') });
  });

  it('returns the same records, field by field, on Zapier', async () => {
    expect(await recordsOn(openZapier)).toEqual(await recordsOn(openBareClient));
  });

  it('returns the same on n8n, where the user also has the email address looked up', async () => {
    const { user, ...others } = await recordsOn(openBareClient);
    expect(user).not.toHaveProperty('email');
    const { email } = (others.rejection as { data: { email: string } }).data;
    expect(await recordsOn(openN8n)).toEqual({ ...others, user: { ...(user as object), email } });
  });
});
