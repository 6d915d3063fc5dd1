import { expect } from '@jest/globals';
import { InputError, type Operation } from '@screen-advertising/core';
import { type Bench, rejection } from './bench.ts';

/** The error for an invalid input, as a person reads it. Nothing is sent. */
export const refusalBy =
  (bench: Bench) =>
  async (operation: Operation, input: unknown): Promise<string> => {
    const error = await rejection(bench.client().call(operation, input));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: 'invalid_input', isRetryable: false, status: undefined });
    expect(bench.service.received).toEqual([]);
    return (error as InputError).message;
  };
