import { createRequire } from 'node:module';

interface Schema {
  validateAppDefinition(definition: object): object;
}

const ofCore = createRequire(createRequire(import.meta.url).resolve('zapier-platform-core'));

/** Jest maps zapier-platform-schema to this: it loads slowly, and only validation needs it. */
export function validateAppDefinition(definition: object): object {
  const schema = ofCore('zapier-platform-schema/schema.js') as Schema;
  return schema.validateAppDefinition(definition);
}
