import { type Definition, inputFieldsOf, partsOf, type Subject } from './definition.ts';
import type { Rule } from './rule.ts';

/** Every text that a person reads, with its place. */
function textsOf(definition: Definition): [place: string, text: string][] {
  const ofParts = partsOf(definition).flatMap((part): [string, string][] => [
    [part.place, part.display.description],
    [part.place, part.display.directions ?? ''],
    ...inputFieldsOf(part).map(({ place, helpText }): [string, string] => [place, helpText ?? '']),
  ]);
  const ofConnection = definition.authentication.fields.map(
    ({ key, helpText }): [string, string] => [`authentication.${key}`, helpText ?? ''],
  );
  return [...ofParts, ...ofConnection];
}

function placesWhere({ definition }: Subject, isWrong: (text: string) => boolean): string[] {
  return textsOf(definition)
    .filter(([, text]) => isWrong(text))
    .map(([place]) => place);
}

function hasBrokenMarkdown(text: string): boolean {
  const withoutLinks = text.replace(/\[[^\]]+\]\([^)\s]+\)/g, '');
  return /<\/?[a-z]|\]\(|\bhttps?:\/\//i.test(
    withoutLinks.replace(/https:\/\/\S+\.example\S*/g, ''),
  );
}

export const textRules: readonly Rule[] = [
  {
    code: 'D007',
    demand: 'Links use https.',
    check: (subject) => placesWhere(subject, (text) => text.includes('http://')),
  },
  {
    code: 'D008',
    demand: 'Links are written in Markdown, and there is no HTML.',
    check: (subject) => placesWhere(subject, hasBrokenMarkdown),
  },
  {
    code: 'D025',
    demand: 'No address in a text could run a program.',
    check: (subject) =>
      placesWhere(subject, (text) => /\b(javascript|data|vbscript|file):\S/i.test(text)),
  },
  {
    code: 'open',
    demand: 'A help text says what to write, and not what the service leaves open.',
    check: (subject) => placesWhere(subject, (text) => /does not publish/.test(text)),
  },
];
