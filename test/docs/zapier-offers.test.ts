import { expect, it } from '@jest/globals';
import { read } from '../structure/project.ts';
import { zapierReadme, zapierReadmePage } from './zapier-offers.ts';

it('the README of the Zapier app lists what the app offers: if not, run the script "docs"', () => {
  expect(read(zapierReadme)).toBe(zapierReadmePage());
});
