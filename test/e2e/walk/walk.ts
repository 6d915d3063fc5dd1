import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../support/paths.ts';
import { sentencesOf } from './sentences.ts';

/** What a reader does or sees at a sentence, or the file that shows it to be true. */
export type Step = (() => Promise<unknown>) | string;

/** Takes every step of a guide, in its order. A sentence without a step fails, so no new one is missed. */
export function walkThrough(guide: string, steps: Readonly<Record<string, Step>>): void {
  it(`each sentence of ${guide} has its step`, () => {
    const sentences = sentencesOf(readFileSync(path.join(root, guide), 'utf8'));
    assert.deepEqual(Object.keys(steps), sentences);
  });

  for (const [sentence, step] of Object.entries(steps)) {
    it(sentence, async () => {
      if (typeof step === 'function') await step();
      else assert.ok(existsSync(path.join(root, step)), `${step} is missing.`);
    });
  }
}
