// TypeScript reads this file for `require`, with which Node.js loads the ES module.
import type * as sandbox from './index.js' with { 'resolution-mode': 'import' };

export type * from './index.js' with { 'resolution-mode': 'import' };
export declare const createSandbox: typeof sandbox.createSandbox;
export declare const ProblemResponseError: typeof sandbox.ProblemResponseError;
