import { describe, expect, it } from '@jest/globals';
import { read } from '../structure/project.ts';
import { typeFiles, typesFolder } from './types/write.ts';

describe('the interfaces that the core publishes', () => {
  it.each([...typeFiles()])('are those of the catalogue in %s', (name, text) => {
    expect(read(`${typesFolder}/${name}`)).toBe(text);
  });
});
