import { beforeAll, describe, expect, it } from '@jest/globals';
import { read } from '../structure/project.ts';
import { messageRows, messagesPage, type Row } from './zapier-messages/page.ts';

let rows: readonly Row[] = [];
beforeAll(async () => {
  rows = await messageRows();
});

const failures = () => rows.filter(({ does }) => does !== undefined);

/** Without the service's text and the names of scopes. */
const own = (message: string) =>
  message.replace(/"[^"]*"/g, '').replace(/\b[a-z_]+:(read|write)\b/g, '');

describe('the messages of the steps in Zapier', () => {
  it('are all in the guide, which is up to date', () => {
    expect(read('docs/zapier-messages.md')).toBe(messagesPage(rows));
  });

  it('begin with the name of the step, or are about the connection', () => {
    const label = (step: string) => step.replace(/ by (name|ID)$/, '');
    const others = failures().filter(({ step, message }) => !message.startsWith(`${label(step)} `));
    const isOfConnection = /^The connection to service\.example/;
    expect(others.filter(({ message }) => !isOfConnection.test(message))).toEqual([]);
  });

  it('say what to do', () => {
    const instruction =
      /\b(Check|Correct|Ask|Use|Wait|Replay|Retry|Retrying|Find Coupon shows|must (be|not)|fill (it )?in|must be filled in|pass it|is not valid JSON, such as|Get the coupon)\b/;
    expect(failures().filter(({ message }) => !instruction.test(message))).toEqual([]);
  });

  it('use no name of the interface’s JSON', () => {
    const names = /\b[a-z]+(_[a-z]+)+\b|\bscreenId\b/;
    expect(failures().filter(({ message }) => names.test(own(message)))).toEqual([]);
  });
});
