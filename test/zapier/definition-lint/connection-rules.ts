import { inputFieldsOf, partsOf } from './definition.ts';
import type { Rule } from './rule.ts';

/** A page of this project: Zapier's own help does not cover these credentials. */
const helpPage = /\]\(https:\/\/github\.com\/screen-advertising\/\S+\)/;

const secretName = /api_?key|token|secret|password/i;

const strangeUrls = [
  'http://service.example/api/v1',
  'https://user:word@service.example/api/v1',
  'https://service.example/api/v1?to=elsewhere',
  'https://service.example/api/v1#@elsewhere.example',
  'javascript:alert(1)/api/v1',
  'file:///api/v1',
];

export const connectionRules: readonly Rule[] = [
  {
    code: 'D001',
    demand: 'Secrets are asked for in the connection, never in a step.',
    check: ({ definition }) =>
      partsOf(definition)
        .flatMap(inputFieldsOf)
        .filter(({ key }) => secretName.test(key))
        .map(({ place }) => place),
  },
  {
    code: 'D002',
    demand: 'Each field of the connection links to where credentials come from.',
    check: ({ definition }) =>
      definition.authentication.fields
        .filter(({ computed, helpText }) => !computed && !helpPage.test(helpText ?? ''))
        .map(({ key }) => `authentication.${key}`),
  },
  {
    code: 'D003',
    demand: 'The connection has a label, and no secret in it.',
    check: ({ definition: { authentication } }) => {
      const { connectionLabel } = authentication;
      return connectionLabel && !secretName.test(connectionLabel)
        ? []
        : ['authentication.connectionLabel'];
    },
  },
  {
    code: 'D026',
    demand: 'The base URL is checked before credentials are sent there.',
    check: ({ accepts }) =>
      strangeUrls.filter(accepts).map((url) => `authentication.base_url ${url}`),
  },
];
