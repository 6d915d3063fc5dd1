import { buildApp } from './build-app.ts';
import { variantNames } from './variants.ts';

for (const variant of variantNames) await buildApp(variant);
