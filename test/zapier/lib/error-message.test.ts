import { expect, it } from '@jest/globals';
import { operations, ResponseError } from '@screen-advertising/core';
import { tasks } from '@screen-advertising/core/availability';
import {
  messageOf,
  type Step,
} from '../../../packages/zapier-screen-advertising/src/lib/error-message.ts';

const step: Step = { label: 'The Step', scopes: [], fields: [] };
const titles = [...Object.values(operations), ...Object.values(tasks)].map(({ title }) => title);

it.each(titles)('the label of the step replaces the whole of %s', (title) => {
  const error = new ResponseError(`${title} was answered with a redirect.`, 302);
  expect(messageOf(error, step)).toBe('The Step was answered with a redirect.');
});
