import { type EventName, events } from '@screen-advertising/core';
import * as z from 'zod';
import type { FaultRule } from './faults/fault-rule.ts';
import { check, ProblemResponseError } from './problems/problem-response-error.ts';
import type { CampaignRequestFields, ScreenFields, UserFields } from './records/records.ts';
import type { Sandbox } from './sandbox.ts';
import type { Snapshot } from './state/stored-records.ts';

/** Throws a ProblemResponseError that says what is wrong with the input. */
type Command = (sandbox: Sandbox, input: object) => unknown;

function command<Input extends z.ZodType>(
  input: Input,
  run: (sandbox: Sandbox, input: z.output<Input>) => unknown,
): Command {
  return (sandbox, given) => run(sandbox, check(input, given));
}

/** Every retry on the way runs, so the advance needs a limit. */
const maxAdvanceMs = 366 * 24 * 60 * 60 * 1000;
const advance = z.strictObject({
  ms: z
    .number()
    .min(0, 'must be at least 0')
    .max(maxAdvanceMs, `must be at most ${maxAdvanceMs}, which is a year`),
});

const names = Object.keys(events) as [EventName, ...EventName[]];
const firing = z.strictObject({
  type: z.enum(names, `must be one of ${names.join(', ')}`),
  data: z.record(z.string(), z.unknown()).default({}),
  access: z.string().optional(),
});

const address = z.strictObject({
  url: z.string('is required'),
  access: z.string().optional(),
  name: z.string().optional(),
});
const byId = z.strictObject({ id: z.string() });
const byCode = z.strictObject({ code: z.string() });

/**
 * Actions outside the partner interface: over HTTP in the admin API, and through forms in the
 * inspector. Input without a schema here is validated where it is used.
 */
export const commands = {
  'fire-event': command(firing, (sandbox, { type, data, access }) =>
    sandbox.fire(type, data, { access }),
  ),
  'advance-clock': command(advance, async ({ clock }, { ms }) => {
    await clock.advance(ms);
    return clockState(clock);
  }),
  'freeze-clock': ({ clock }) => {
    clock.freeze();
    return clockState(clock);
  },
  'run-clock': ({ clock }) => {
    clock.run();
    return clockState(clock);
  },
  'rotate-client-secret': command(byId, (sandbox, { id }) => sandbox.rotateClientSecret(id)),
  'add-webhook': command(address, ({ webhooks }, input) => webhooks.add(input)),
  'remove-webhook': command(byId, ({ webhooks }, { id }) => webhooks.remove(id)),
  redeliver: command(byId, ({ deliveries }, { id }) => deliveries.redeliver(id)),
  'redeem-coupon': command(byCode, ({ coupons }, { code }) => coupons.redeem(code)),
  'add-screen': ({ screens }, fields) => screens.add(fields as ScreenFields),
  'remove-screen': command(byId, ({ screens }, { id }) => screens.remove(id)),
  'add-user': ({ users }, fields) => users.add(fields as UserFields),
  'add-campaign-request': ({ campaignRequests }, fields) =>
    campaignRequests.add(fields as CampaignRequestFields),
  'add-fault': ({ faults }, rule) => faults.add(rule as FaultRule),
  'remove-fault': command(byId, ({ faults }, { id }) => {
    if (!faults.remove(id))
      throw new ProblemResponseError('not-found', `There is no fault rule ${id}.`);
  }),
  'clear-faults': ({ faults }) => faults.clear(),
  'clear-journal': ({ journal }) => journal.clear(),
  restore: (sandbox, snapshot) => sandbox.restore(snapshot as Snapshot),
  reset: (sandbox) => sandbox.reset(),
} satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;

/** The sandbox's time, and whether it stands still. */
export function clockState(clock: Sandbox['clock']) {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen };
}
