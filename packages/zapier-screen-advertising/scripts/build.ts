import { buildApp, variantNames } from './build-app.ts';

for (const variant of variantNames) await buildApp(variant);
