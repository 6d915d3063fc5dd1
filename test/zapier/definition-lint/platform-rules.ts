import { partsOf } from './definition.ts';
import type { Rule } from './rule.ts';

export const platformRules: readonly Rule[] = [
  {
    code: 'D027',
    demand: 'The app runs on the newest platform that its tools know.',
    check: ({ definition, newestPlatform }) =>
      definition.platformVersion === newestPlatform ? [] : ['platformVersion'],
  },
  {
    code: 'D028',
    demand: 'The app gets the input as it was filled in, with its empty values.',
    check: ({ definition }) => [
      ...(definition.flags.cleanInputData === false ? [] : ['flags.cleanInputData']),
      ...partsOf(definition)
        .filter(({ operation }) => operation.cleanInputData === true)
        .map(({ place }) => place),
    ],
  },
  {
    code: 'E001',
    demand: 'No version depends on environment variables, so none can change between versions.',
    check: ({ code }) =>
      [...code.matchAll(/\bprocess\.env(?:\.\w+)?/g)].map(([variable]) => variable),
  },
];
