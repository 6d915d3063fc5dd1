import asyncHooks from 'node:async_hooks';
import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const ofDomains = hookOfDomains();

/**
 * Jest gives every test file its own copy of each module. Modules that load slowly and keep no
 * state bypass Jest: a worker loads them once for all of its files.
 */
export default class Environment extends TestEnvironment {
  readonly #writes = [process.stdout.write, process.stderr.write] as const;

  constructor(...options: ConstructorParameters<typeof TestEnvironment>) {
    super(...options);
    const bypass = { value: (from: string) => createRequire(from) };
    Object.defineProperty(this.global, Symbol.for('screen-advertising.create-require'), bypass);
    for (const Class of [Error, Date]) {
      const { [Class.name]: known } = this.global as Record<string, unknown>;
      Object.defineProperty(known, Symbol.hasInstance, { value: isInstanceOf(Class) });
    }
  }

  /** A watched stream would keep every module of this file in the worker's memory. */
  override async teardown(): Promise<void> {
    [process.stdout.write, process.stderr.write] = this.#writes;
    ofDomains.disable();
    await super.teardown();
  }
}

/** Such a module creates instances of Node's classes, which also count as the test's. */
function isInstanceOf(Class: abstract new () => unknown) {
  const { [Symbol.hasInstance]: isInstance } = Function.prototype;
  return function (this: { name: string }, value: unknown): boolean {
    return isInstance.call(this, value) || (this.name === Class.name && value instanceof Class);
  };
}

/** zapier-platform-core opens a domain, and Node then tracks every promise of this process. */
function hookOfDomains(): asyncHooks.AsyncHook {
  const { createHook } = asyncHooks;
  const hooks: asyncHooks.AsyncHook[] = [];
  asyncHooks.createHook = (callbacks) => {
    const hook = createHook(callbacks);
    hooks.push(hook);
    return hook;
  };
  process.getBuiltinModule('node:domain');
  asyncHooks.createHook = createHook;
  const [hook] = hooks;
  if (!hook) throw new Error('node:domain makes no hook of node:async_hooks any more');
  return hook;
}
