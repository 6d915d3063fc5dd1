import { beforeEach, jest } from '@jest/globals';
import { type Fault, useService } from './use-service.ts';
import { readZapierError, type ZapierRunner } from './zapier.ts';

/** A step that a person adds, by its label in the editor, which errors name. */
export interface Action {
  readonly name: string;
  readonly run: (zapier: ZapierRunner) => Promise<unknown>;
}

const lead_email = 'lead@example.com';
export const newCoupon = { discount_type: 'free_days', discount_value: 2, lead_email };

export const findUser: Action = {
  name: 'Find User',
  run: (zapier) => zapier.search('find_user', { email: lead_email }),
};

export const createCoupon: Action = {
  name: 'Create Coupon',
  run: (zapier) => zapier.create('create_coupon', newCoupon),
};

export const revokeCoupon: Action = {
  name: 'Revoke Coupon',
  run: (zapier) => zapier.create('revoke_coupon', { code: 'SPRING-25' }),
};

export const createLandingLink: Action = {
  name: 'Create Landing Link',
  run: (zapier) => zapier.create('create_landing_link', { utm_campaign: 'spring' }),
};

/** A connection to a sandbox with the coupon SPRING-25, new before each test. */
export function useActions() {
  const service = useService();
  let zapier: ZapierRunner;
  beforeEach(async () => {
    zapier = await service().connect();
    const spring = { ...newCoupon, code: 'SPRING-25', lead_email: 'spring@example.com' };
    await zapier.create('create_coupon', spring);
    // Retries of reads wait for a random time; here they do not wait.
    jest.spyOn(Math, 'random').mockReturnValue(0);
  });
  return {
    service,
    zapier: () => zapier,
    /** The result of an action during the fault, or the error as Zapier reads it. */
    struck(fault: Fault, { run }: Action): Promise<unknown> {
      const { faults } = service().sandbox;
      faults.add(fault);
      const ended = run(zapier).catch(readZapierError);
      return ended.finally(() => faults.clear());
    },
  };
}
