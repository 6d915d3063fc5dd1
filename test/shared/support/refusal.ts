import { expect } from '@jest/globals';
import { InputError, type Operation } from '@screen-advertising/core';
import { type Bench, rejection } from './bench.ts';

/** What is wrong with an input, as a person reads it. Whatever is wrong, nothing is sent. */
export const refusalBy =
  (bench: Bench) =>
  async (operation: Operation, input: unknown): Promise<string> => {
    const error = await rejection(bench.client().call(operation, input));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: 'invalid_input', isRetryable: false, status: undefined });
    expect(bench.service.received).toEqual([]);
    return (error as InputError).message;
  };
