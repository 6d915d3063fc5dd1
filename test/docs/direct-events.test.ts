import { expect, it } from '@jest/globals';
import { read } from '../structure/project.ts';
import { eventGuide, eventGuidePage } from './direct-events.ts';

it('the guide to events lists them: if not, run the script "docs"', () => {
  expect(read(eventGuide)).toBe(eventGuidePage());
});
