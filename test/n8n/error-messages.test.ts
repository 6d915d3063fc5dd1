import { expect, it, jest } from '@jest/globals';
import { type Operation, operations, TransportError } from '@screen-advertising/core';

interface ErrorMessages {
  errorMessage(
    error: Error,
    context: { operation: Operation; given: () => string; credential: string },
  ): { message: string; description: string };
}

const { errorMessage } = jest.requireActual<ErrorMessages>(
  '../../packages/n8n-nodes-screen-advertising/lib/errors/errorMessages.ts',
);

const lost = new TransportError('The connection broke. Retry.', {
  code: 'network_error',
  sent: 'maybe',
});

it.each([
  ['GET', 'Retry: nothing was created or changed.'],
  ['POST', 'Retry.'],
] as const)('after a lost response to a %s, the error says: %s', (method, first) => {
  const operation: Operation = { ...operations['screen.get'], method };
  const { description } = errorMessage(lost, { operation, given: () => '', credential: '' });
  expect(description).toBe(`${first} If it keeps failing, tell the Screen Advertising team.`);
});
