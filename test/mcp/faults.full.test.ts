import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { tasks } from '@screen-advertising/core/availability';
import { toolName } from '../../packages/mcp/src/tool.ts';
import { environment } from '../cli/command.ts';
import { secretsIn } from '../hostile/matrix/judge.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { exampleInput } from '../support/example-input.ts';
import { callTool, isOffered } from './support/call.ts';
import { connect } from './support/connect.ts';
import { anyRemedy, type Fault, faults } from './support/faults.ts';
import { patientClock } from './support/patient-clock.ts';

const everything = [...Object.values(operations), ...Object.values(tasks)].filter(isOffered);
const isChange = (task: object) => 'method' in task && task.method === 'POST';

async function underFault({ rule }: Fault) {
  const service = await start({ screens: 3 });
  const discount = { discount_type: 'percent', discount_value: 15 };
  await service.call('POST', '/coupons', {
    body: { code: 'SPRING-25', lead_email: 'spring@example.com', ...discount },
  });
  service.sandbox.faults.add({ ...rule, path: '/**' });
  return service;
}

describe('every tool, against a service that always fails', () => {
  it.each(faults)('$name', async (fault) => {
    const { baseUrl, full, sandbox } = await underFault(fault);
    for (const task of everything) {
      const name = toolName(task.title);
      // A new client, so that one tool's 429 or spent retries do not affect the next.
      const client = await connect(environment(baseUrl, full), { clock: patientClock() });
      const result = await callTool(client, name, exampleInput(task));
      const { text, isError } = result;
      expect({ name, secrets: secretsIn(text, full) }).toEqual({ name, secrets: [] });
      if (!fault.remedy) expect({ name, isError, text }).toMatchObject({ name, isError: false });
      else if (!isError)
        expect({ name, isChange: isChange(task) }).toEqual({ name, isChange: true });
      else expect(`${name}: ${text}`).toMatch(isChange(task) ? anyRemedy : fault.remedy);
    }
    // The existing coupon, and at most the one to be created.
    expect(sandbox.snapshot().data.coupons.length).toBeLessThanOrEqual(2);
  });
});

const unreadable = ['truncated body', 'malformed JSON', 'HTML', 'empty body'];
const losing: Fault[] = [
  ...faults.filter(({ name }) => [...unreadable, 'reset, after'].includes(name)),
  { name: 'status 503, after', rule: { fault: 'status', status: 503, when: 'after' } },
];

describe('Create Coupon, when one response is lost', () => {
  it.each(losing)('ends with one coupon: $name', async ({ rule }) => {
    const { baseUrl, full, sandbox } = await start({ screens: 0 });
    sandbox.faults.add({ ...rule, path: '/coupons', times: 1 });
    const env = environment(baseUrl, full);
    const client = await connect(env, { clock: patientClock() });
    const input = exampleInput(operations['coupon.create']);
    const first = await callTool(client, 'create_coupon', input);
    expect(first.record).toMatchObject(input);
    const again = await callTool(client, 'create_coupon', input);
    expect(again.record).toMatchObject({ ...first.record, created: false });
    expect(sandbox.snapshot().data.coupons).toHaveLength(1);
  });
});
