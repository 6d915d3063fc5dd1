import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { compoundOperations } from '@screen-advertising/core/availability';
import type { FaultRule } from '@screen-advertising/sandbox';
import { toolName } from '../../packages/mcp/src/tool.ts';
import { environment } from '../cli/command.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { exampleInput } from '../support/example-input.ts';
import { formsIn } from '../support/secret-forms.ts';
import { callTool, isOffered } from './support/call.ts';
import { connect } from './support/connect.ts';
import { patientClock } from './support/patient-clock.ts';

const everything = [...Object.values(operations), ...Object.values(compoundOperations)].filter(
  isOffered,
);
const isChange = (task: object) => 'method' in task && task.method === 'POST';

const settings = /the user must fix the settings of this MCP server\.$/;
const later = /Retrying later with the same arguments is safe\.$/;
const never = /Do not retry with the same arguments\.$/;
/** After a change, the advice also depends on whether a retry of the change is safe. */
const any = new RegExp([settings, later, never].map(({ source }) => source).join('|'));

const status = (code: number): FaultRule => ({ fault: 'status', status: code });
const faults: readonly (readonly [name: string, rule: FaultRule, advice: RegExp])[] = [
  ['status 400', status(400), never],
  ['status 401', status(401), settings],
  ['status 403', status(403), settings],
  ['status 404', status(404), never],
  ['status 429', status(429), later],
  ['status 500', status(500), later],
  ['a reset', { fault: 'reset', when: 'after' }, later],
  ['a truncated body', { fault: 'truncated-body' }, any],
  ['HTML', { fault: 'html-body' }, never],
];

describe('every tool advises what to do against a service that always fails', () => {
  it.each(faults)('with %s', async (_name, rule, advice) => {
    const { baseUrl, full, sandbox } = await start({ screens: 3 });
    sandbox.faults.add({ ...rule, path: '/**' });
    for (const task of everything) {
      const name = toolName(task.title);
      // A new client, so that one tool's 429 or spent retries do not affect the next.
      const client = await connect(environment(baseUrl, full), { clock: patientClock() });
      const { text, isError } = await callTool(client, name, exampleInput(task));
      const secrets = formsIn(text, full.apiKey, full.clientSecret, full.signingSecret);
      expect({ name, isError, secrets }).toEqual({ name, isError: true, secrets: [] });
      expect(`${name}: ${text}`).toMatch(isChange(task) ? any : advice);
    }
    expect(sandbox.snapshot().data.coupons.length).toBeLessThanOrEqual(1);
  });
});
