import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFiles, read } from '../structure/project.ts';
import { errorCodes, failureReasons } from '../support/error-codes.ts';
import { messagesIn, messagesThrownIn, quotedTexts } from './error-table.ts';

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
      /^(?:shared|packages\/(?:cli|n8n|zapier)[^/]*)\/(?:src|lib|nodes|credentials)\/.*\.ts$/.test(
        path,
      ),
    )
    .map(read)
    .join('\n');

  const ofDatabase = projectFiles()
    .filter((path) => path.startsWith('packages/relay/src/database/'))
    .map(read)
    .join('\n');

  it.each(messagesIn(guide))('quotes a message that exists: %s', (message) => {
    const unquoted = quotedTexts(message).filter((text) => !sources.includes(text));
    expect(unquoted.filter((text) => !ofDatabase.includes(text))).toEqual([]);
  });

  it.each(errorCodes)('explains the code %s', (code) => {
    expect(guide).toContain(`\`${code}\``);
  });

  it.each(failureReasons)('explains the reason %s', (reason) => {
    expect(guide).toContain(`\`${reason}\``);
  });

  // A message with only variable parts has no fixed words to look for.
  const unknown = messagesThrownIn(sources)
    .filter((message) => quotedTexts(message).length > 0)
    .filter((message) => !quotedTexts(message).some((text) => guide.includes(text)));

  it('contains every message that users can see', () => {
    expect(messagesThrownIn(sources).length).toBeGreaterThan(40);
    // For the platforms, these are the signal to fetch a new token, and users never see them.
    expect(unknown.sort()).toEqual([
      'The access token has expired.',
      'The access token is about to expire.',
      'The service refused the access token.',
    ]);
  });
});
