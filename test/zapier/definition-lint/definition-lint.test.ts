import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import listing from 'zapier-screen-advertising/listing.json' with { type: 'json' };
import { readConnection } from '../../../packages/zapier-screen-advertising/src/lib/connection.ts';
import { definitionOf, schemaErrorsOf } from '../app/definition.ts';
import { rules } from './rules.ts';

const { title, description, category } = listing;
const packageFolder = join(__dirname, '../../../packages/zapier-screen-advertising');
const source = join(packageFolder, 'src');
const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(source, name), 'utf8'))
  .join('\n');

// Zapier releases its tools and the platform together, with the same version.
const tools = createRequire(join(packageFolder, 'package.json'));
const { version: newestPlatform } = tools('zapier-platform-cli/package.json');

/** Whether the app takes a base URL. */
function accepts(base_url: string): boolean {
  try {
    readConnection({ base_url, api_key: 'svc_definition_lint_0123' });
    return true;
  } catch {
    return false;
  }
}

describe.each(['private', 'public'] as const)('the %s variant', (variant) => {
  it('passes Zapier’s schema', async () => {
    expect(await schemaErrorsOf(variant)).toEqual([]);
  });

  it.each(Object.entries(rules))('%s', async (_rule, check) => {
    const definition = await definitionOf(variant);
    const isPublic = variant === 'public';
    expect(check({ definition, accepts, code, newestPlatform, isPublic })).toEqual([]);
  });
});

describe('the listing', () => {
  it('M001: has a category', () => {
    expect(category).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  it('M002: says what the service is, in 40 to 140 characters, and does not name Zapier', () => {
    expect(description).toMatch(new RegExp(`^${title} is an? (?!.*zapier).{10,}\\.$`, 'i'));
    expect(description).toHaveLength(Math.min(Math.max(description.length, 40), 140));
  });

  it('M004: has a logo that is a square PNG of at least 256 pixels, with transparency', () => {
    const logo = readFileSync(join(packageFolder, 'icons/logo.png'));
    const [width, height] = [logo.readUInt32BE(16), logo.readUInt32BE(20)];
    expect(width).toBe(height);
    expect(width).toBeGreaterThanOrEqual(256);
    expect([4, 6]).toContain(logo[25]);
  });
});
