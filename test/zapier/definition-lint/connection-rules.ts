import { inputFieldsOf, partsOf } from './definition.ts';
import type { Rule } from './rule.ts';

const secretName = /api_?key|token|secret|password/i;

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
    demand: 'Each field of the connection has a help text with a link.',
    check: ({ definition }) =>
      definition.authentication.fields
        .filter(({ computed, helpText }) => !computed && !/\]\(https:\/\//.test(helpText ?? ''))
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
];
