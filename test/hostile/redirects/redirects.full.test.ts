import { describeRedirects } from './follow.ts';
import { allShapes } from './shapes.ts';

describeRedirects(allShapes());
