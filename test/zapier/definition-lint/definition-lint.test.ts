import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import listing from 'zapier-screen-advertising/listing.json' with { type: 'json' };
import { readConnection } from '../../../packages/zapier-screen-advertising/src/lib/connection.ts';
import { definitionOf, schemaErrorsOf } from '../app/definition.ts';
import { broken, type Loose } from './broken-definitions.ts';
import { lintDefinition, rules } from './index.ts';

const packageFolder = join(__dirname, '../../../packages/zapier-screen-advertising');
const logo = readFileSync(join(packageFolder, 'icons/logo.png'));

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

const subject = { listing, logo, accepts, code, newestPlatform, isPublic: false };

const variants = ['private', 'public'] as const;

describe.each(variants)('the %s variant', (variant) => {
  it('passes Zapier’s schema', async () => {
    expect(await schemaErrorsOf(variant)).toEqual([]);
  });

  it('has nothing that Zapier’s reviewers would ask to change', async () => {
    const definition = await definitionOf(variant);
    const findings = lintDefinition({ ...subject, definition, isPublic: variant === 'public' });
    expect(findings).toEqual([]);
  });
});

/** The codes of an area, such as D001 to D018. */
function codes(area: string, first: number, last: number): string[] {
  const count = last - first + 1;
  return Array.from(
    { length: count },
    (_, index) => `${area}${String(first + index).padStart(3, '0')}`,
  );
}

/** https://docs.zapier.com/integrations/publish/integration-checks-reference in November 2026. */
const reference = [
  ...codes('A', 1, 1),
  ...codes('C', 1, 3),
  ...codes('D', 1, 18),
  ...codes('D', 21, 28),
  ...codes('E', 1, 1),
  ...codes('L', 1, 4),
  ...codes('M', 1, 7),
  ...codes('S', 1, 3),
  ...codes('T', 1, 6),
  ...codes('U', 1, 1),
  ...codes('Z', 1, 1),
];

describe('the rules', () => {
  it('each have an example that breaks them', () => {
    const examples = [...Object.keys(broken), 'M001', 'M002', 'M004'];
    expect(examples.toSorted()).toEqual(rules.map(({ code }) => code).toSorted());
  });

  it('decide every check of Zapier’s reference that needs no account; the guide names the others', () => {
    const guide = readFileSync(join(packageFolder, '../../docs/submission.md'), 'utf8');
    const named = [...guide.matchAll(/\b([A-Z])(\d{3})(?: to \1(\d{3}))?/g)].flatMap(
      ([, area = '', first = '', last = first]) => codes(area, Number(first), Number(last)),
    );
    const known = new Set([...rules.map(({ code }) => code), ...named]);
    expect(reference.filter((code) => !known.has(code))).toEqual([]);
  });

  it.each(Object.entries(broken))('%s names the place that breaks it', async (code, example) => {
    const definition = structuredClone(await definitionOf('private'));
    example.breakIt(definition as unknown as Loose);
    const findings = lintDefinition({ ...subject, ...example.with, definition });
    expect(findings).toContainEqual(expect.objectContaining({ code, place: example.place }));
  });

  it.each<[string, string, Partial<typeof listing>]>([
    ['M001', 'without a category', { category: '' }],
    ['M002', 'with a description that is too short', { description: `${listing.title} is a.` }],
    ['M002', 'with one that is too long', { description: listing.description.repeat(2) }],
    ['M002', 'with one that names Zapier', { description: `${listing.description} For Zapier.` }],
    [
      'M002',
      'with one of what one can do',
      { description: 'Find screens, create coupons, and more.' },
    ],
  ])('%s refuses a listing %s', async (code, _what, change) => {
    expect(await marketing(code, { listing: { ...listing, ...change } })).toHaveLength(1);
    expect(await marketing(code, {})).toEqual([]);
  });

  it('M004 refuses a logo without transparency, or that is not square', async () => {
    for (const [at, byte] of [
      [25, 2],
      [19, 1],
    ] as const) {
      const changed = new Uint8Array(logo);
      changed[at] = byte;
      expect(await marketing('M004', { logo: changed })).toEqual(['icons/logo.png']);
    }
  });
});

async function marketing(code: string, change: object): Promise<string[] | undefined> {
  const definition = await definitionOf('public');
  const rule = rules.find((one) => one.code === code);
  return rule?.check({ ...subject, definition, isPublic: true, ...change });
}
