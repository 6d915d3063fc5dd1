import { variantNames } from './build-app.ts';
import { buildZips } from './zip-app.ts';

await buildZips(variantNames);
