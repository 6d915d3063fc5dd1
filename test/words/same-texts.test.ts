import { beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { type Task, tasks } from '@screen-advertising/core/availability';
import { type FormField, formFields } from '@screen-advertising/core/forms';
import { type OfferedField, offeredByN8n, offeredByZapier } from './offered.ts';

/** Help texts that differ from the catalogue's, and the reasons. */
const ownWords: Readonly<Record<string, readonly { help: RegExp; because: string }[]>> = {
  n8n: [
    { help: /^The .*, chosen from the list or by its ID$/, because: 'n8n offers a list to search' },
    { help: /^Max number of results to return$/, because: 'n8n words its Limit so everywhere' },
    {
      help: /^(?:Email address of the user|The user's or company's VAT number)$/,
      because: 'Look Up By shows one of the two fields, so neither mentions the other',
    },
  ],
  Zapier: [
    {
      help: /^Which screens come first\. Default: the nearest with Near, else the order of the service\.$/,
      because: 'Find Screen returns the first screen, with or without Near',
    },
    { help: /^$/, because: 'Zapier refuses help that repeats the label (D011)' },
    {
      help: /^One (?:screen|campaign request)\. The other fields are then ignored\.$/,
      because: 'one search of Zapier is both the list and the single record',
    },
    {
      help: /^Choose a screen, or add a Find Screen step\.$/,
      because: 'Zapier offers the screens in a dropdown, and a search for others',
    },
    {
      help: /^Your own code for the coupon\. With it, replaying this step returns /,
      because: "replaying a step is Zapier's own notion",
    },
    {
      help: /^Anything you want to keep with the coupon, .*: names on the left, values on the right\. Values are sent as text\.$/,
      because: 'Zapier has a form for keys and values, where others want JSON',
    },
    {
      help: /^Only screens (?:in this country|with this orientation)\. .* custom value/,
      because: "Zapier offers a list of the service's own values, and calls the rest custom",
    },
    {
      help: /^Only campaign requests (?:from|up to) this date or time/,
      because: "Zapier's date field rewrites what it is given, and this one does not",
    },
    {
      help: /^Only changes to this status\. Default: any status\.$/,
      because: 'a trigger of Zapier has the status of a change where the list has a filter',
    },
    {
      help: /^The direction in which availability crosses the threshold\. If Zapier loses /,
      because: 'a Zap keeps no state of its own, and Zapier may lose what it keeps for it',
    },
  ],
};

/** Fields that a platform offers in another form. */
const askedElsewhere: Readonly<Record<string, readonly string[]>> = {
  // The polling trigger's Events field has an entry for each direction.
  n8n: ['change'],
};

const all: readonly Task[] = [...Object.values(operations), ...Object.values(tasks)];
const fields = all.flatMap((operation) => formFields(operation));
const names = [...new Set(fields.map(({ name }) => name))].filter((name) => name !== 'cursor');

/** n8n omits the period at the end of a single sentence. */
const bare = (text: string) => text.replace(/\.$/, '');
const saidOf = (name: string, say: (field: FormField) => string) =>
  fields.filter((field) => field.name === name).map((field) => bare(say(field)));

let offered: Readonly<Record<string, readonly OfferedField[]>>;

beforeAll(async () => {
  offered = { n8n: await offeredByN8n(), Zapier: await offeredByZapier() };
});

describe.each(['n8n', 'Zapier'])('%s uses the words of the catalogue', (platform) => {
  const named = (name: string) => offered[platform]?.filter((field) => field.name === name) ?? [];

  const asked = names.filter((name) => !askedElsewhere[platform]?.includes(name));

  it.each(asked.filter((name) => name !== 'limit'))('in the label of %s', (name) => {
    expect(named(name).length).toBeGreaterThan(0);
    // Zapier shows no help next to a value, so its labels name the unit.
    for (const { label } of named(name))
      expect(saidOf(name, ({ title }) => title)).toContain(
        label.replace(/ in (Cents|Percent)$/, ''),
      );
  });

  it.each(names)('in the help of %s, or with a reason for the difference', (name) => {
    const said = saidOf(name, ({ description }) => description);
    const isOwn = (help: string) => ownWords[platform]?.some((own) => own.help.test(help));
    const others = named(name).filter(({ help }) => !said.includes(bare(help)) && !isOwn(help));
    expect(others).toEqual([]);
  });

  it.each(ownWords[platform] ?? [])('every reason is still needed: $because', ({ help }) => {
    expect(offered[platform]?.some((field) => help.test(field.help))).toBe(true);
  });
});

it.each([
  'Base URL',
  'API Key',
  'Client ID',
  'Client Secret',
  'Signing Secret',
  'Previous Signing Secret',
])('both ask for the %s under this name', (label) => {
  const labels = Object.values(offered).map((fields) => fields.map((field) => field.label));
  expect(labels).toHaveLength(2);
  for (const ofPlatform of labels) expect(ofPlatform).toContain(label);
});
