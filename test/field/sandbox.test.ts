import { describe, expect, it } from '@jest/globals';
import { start } from '../sandbox/support/running-sandbox.ts';

describe('a developer against the sandbox', () => {
  it.failing('looks up a refused call: the journal has its problem document', async () => {
    const { call, sandbox } = await start();
    const body = { code: 'WINTER-26', discount_type: 'percent', lead_email: 'lead@example.com' };
    await call('POST', '/coupons', { body });
    const [refused] = sandbox.journal.list();
    expect(refused).toMatchObject({ status: 400 });
    expect(JSON.stringify(refused)).toContain('discount_value is required');
  });
});
