import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFiles, read } from '../structure/project.ts';
import { errorCodes, failureReasons } from '../support/error-codes.ts';
import { errorsIn, messagesIn, quotedTexts } from './error-table.ts';

const guides = projectFiles().filter((path) => /^docs\/[^/]+\.md$/.test(path));

describe('the guides', () => {
  it.each(guides)('%s is linked from the README or another guide', (path) => {
    const links = guides.filter((guide) => guide !== path).map(read);
    const isLinked = links.some((text) => text.includes(`](${posix.basename(path)}`));
    expect(isLinked || read('README.md').includes(`](${path})`)).toBe(true);
  });

  it('describe each picture for readers who cannot see it', () => {
    const pictures = guides.flatMap((path) => [...read(path).matchAll(/!\[([^\]]*)\]\(/g)]);
    expect(pictures.length).toBeGreaterThan(2);
    for (const [, words] of pictures) expect(words).toMatch(/\w+ \w+/);
  });
});

describe('the guide to errors', () => {
  const guide = read('docs/limits-and-errors.md');
  const sources = projectFiles()
    .filter((path) =>
      /^(?:shared|packages\/(?:cli|mcp|n8n|zapier)[^/]*)\/(?:src|lib|nodes|credentials)\/.*\.ts$/.test(
        path,
      ),
    )
    .map(read);

  const ofRelay = projectFiles()
    .filter((path) => path.startsWith('packages/relay/src/'))
    .map(read)
    .join('\n');

  it.each(messagesIn(guide))('quotes a message that exists: %s', (message) => {
    const unquoted = quotedTexts(message).filter(
      (text) => !sources.some((source) => source.includes(text)),
    );
    expect(unquoted.filter((text) => !ofRelay.includes(text))).toEqual([]);
  });

  it.each(errorCodes)('explains the code %s', (code) => {
    expect(guide).toContain(`\`${code}\``);
  });

  it.each(failureReasons)('explains the reason %s', (reason) => {
    expect(guide).toContain(`\`${reason}\``);
  });

  it('contains every error that users can meet', () => {
    const errors = errorsIn(sources);
    expect(errors.length).toBeGreaterThan(85);
    const isKnown = (text: string) => quotedTexts(text).some((part) => guide.includes(part));
    // Users never see these: they end a wait, or are the signal for a platform to fetch a new token,
    // or the program could not be written so.
    expect(errors.filter((texts) => !texts.some(isKnown)).toSorted()).toEqual([
      ['No time to explain the empty output'],
      ['The access token has expired.'],
      ['The access token is about to expire.'],
      ['The service refused the access token.'],
      ['… has no fields.'],
    ]);
  });
});
