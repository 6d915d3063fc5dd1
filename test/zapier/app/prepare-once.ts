import { createRequire } from 'node:module';

interface SchemaTools {
  prepareApp(app: object): object;
}

// zapier-platform-core prepares the definition of an app twice for each run. What it gets is always
// the same, and deeply frozen, so here it prepares each definition once.
const tools = createRequire(import.meta.url)(
  'zapier-platform-core/src/tools/schema',
) as SchemaTools;
const { prepareApp } = tools;
const prepared = new WeakMap<object, object>();
tools.prepareApp = (app) => {
  const known = prepared.get(app) ?? prepareApp(app);
  prepared.set(app, known);
  return known;
};
