import { describe, expect, it } from '@jest/globals';
import { useBench } from '../shared/support/bench.ts';
import { rejection } from '../shared/support/rejection.ts';
import { problem, reset } from '../shared/support/steps.ts';

const bench = useBench();

describe('a developer', () => {
  it('mistypes the name of a header of every request: the error names it', async () => {
    bench.service.on('GET /screens', { body: { data: [], pagination: { has_more: false } } });
    const client = bench.client({ beforeRequest: () => ({ 'bad name': 'value' }) });
    await expect(client.screens.list()).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: 'the result of beforeRequest must have no name "bad name".',
    });
  });

  it('revokes where no method is allowed: no field is blamed', async () => {
    bench.service.on('POST /coupons/A/revoke', problem(405, { detail: 'No.' }));
    await expect(bench.client().coupons.revoke({ code: 'A' })).rejects.toMatchObject({
      message:
        'Revoke Coupon failed: the service does not allow this method (405). The service says: "No." Report this to the Screen Advertising team.',
    });
  });

  it('revokes, loses a response, is refused, and the coupon is active: it is not revoked', async () => {
    bench.service.on('POST /coupons/A/revoke', reset, problem(400, { detail: 'Not now.' }));
    bench.service.on('GET /coupons/A', { body: { code: 'A', status: 'active' } });
    const error = await rejection(bench.clock.run(bench.client().coupons.revoke({ code: 'A' })));
    expect(error).toMatchObject({ code: 'invalid_request', status: 400 });
  });
});
