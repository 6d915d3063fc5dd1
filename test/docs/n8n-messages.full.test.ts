import { beforeAll, describe, expect, it } from '@jest/globals';
import { read } from '../structure/project.ts';
import { type Message, messages } from './n8n-messages/messages.ts';
import { type Dialog, dialogs, pageOf } from './n8n-messages/page.ts';

let shown: Message[];
let said: Dialog[];

beforeAll(async () => {
  shown = await messages();
  said = await dialogs();
}, 120_000);

/** Imperatives that say what to do. */
const instruction =
  /\b(Ask|Change|Check|Choose|Copy|Fix|Get|Look|Open|Paste|Put|Retry|Run|Spell|Set|Tell|Test|Turn|Use|Write|there is nothing left to do)\b|\buse (client credentials|host\.docker|it alone)|Operations within its scopes will work|shows with the first delivery|Retrying|safe/;

describe('the guide to the messages of the n8n nodes', () => {
  it('is made from the messages of today: if not, run the script "docs"', () => {
    expect(read('docs/n8n-messages.md')).toBe(pageOf(shown, said));
  });

  it('holds a title and a description for each, in the words of n8n', () => {
    expect(shown.length).toBeGreaterThan(120);
    for (const { title, description } of shown) {
      expect(title).toMatch(/^\S.{10,120}[^.]$/s);
      expect(`${title} ${description}`).not.toMatch(
        /problem(?! document)|about:blank|Check the fields/i,
      );
    }
  });

  it('says what to do about each of them', () => {
    expect(shown.filter(({ description }) => !instruction.test(description))).toEqual([]);
    expect(said.filter(({ message }) => !instruction.test(message))).toEqual([]);
  });

  it('shows no codes in the dialog of a credential', () => {
    expect(said.length).toBeGreaterThan(10);
    expect(said.filter(({ message }) => !/^[\w.:]+ .*[.]$/.test(message))).toEqual([]);
  });
});
