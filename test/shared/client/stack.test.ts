import { expect, it } from '@jest/globals';
import { clientCredentials } from '@screen-advertising/core';
import { findAvailableScreens } from '@screen-advertising/core/availability';
import { closeAfterTest } from '../../support/closing.ts';
import { useBench } from '../support/bench.ts';
import { page, problem, silence } from '../support/steps.ts';

const bench = useBench();
const screen = { screenId: 'scr_1' };
const period = { from: '2027-03-01', to: '2027-03-02' };

/** How a call may fail, each awaited on the line that its stack has to name. */
const failures: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'input that is refused'() {
    return await bench.client().screens.get({} as never);
  },
  async 'a refusal, read with its response'() {
    bench.service.on('GET /screens/scr_1', problem(404));
    return await bench.client().screens.get(screen).withResponse();
  },
  async 'a failure after retries'() {
    bench.service.on('GET /screens/scr_1', problem(503));
    return await bench.client().screens.get(screen);
  },
  async 'the deadline of the call'() {
    bench.service.on('GET /screens/scr_1', silence);
    return await bench.client().screens.get(screen, { deadlineMs: 1000 });
  },
  async 'a token that is refused'() {
    bench.service.on('POST /oauth/token', problem(401));
    const auth = clientCredentials({ clientId: 'id', clientSecret: 'secret' });
    return await bench.client({ auth }).screens.get(screen);
  },
  async 'a later page of a loop'() {
    bench.service.on('GET /screens', page([{ id: 'scr_1' }], 'c1', true), problem(404));
    return await bench.client().screens.list().all();
  },
  async 'the list of a search'() {
    bench.service.on('GET /screens', problem(404));
    return await findAvailableScreens(bench.client(), period);
  },
};

it.each(Object.entries(failures))(
  'the stack of %s has the line of the caller',
  async (_what, fail) => {
    const { stackTraceLimit } = Error;
    closeAfterTest(() => Object.assign(Error, { stackTraceLimit }));
    // As in a program; Jest has 100.
    Error.stackTraceLimit = 10;
    const error = await bench.clock.run(fail().catch((thrown: unknown) => thrown));
    const { stack = '', message } = error as Error;
    expect(stack).toContain(message);
    const ofThisFile = stack.split('\n').filter((line) => line.includes('stack.test.ts:'));
    // The call of this test is there, too, where nothing was awaited.
    expect(ofThisFile.filter((line) => !line.includes('at fail ('))).toHaveLength(1);
  },
);
