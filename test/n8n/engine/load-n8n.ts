import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger } from 'n8n-workflow';

/** n8n-core reads these while it loads, and keeps its settings below the folder. */
const folder = mkdtempSync(path.join(tmpdir(), 'n8n-engine-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.env.N8N_USER_FOLDER = folder;
process.env.N8N_ENCRYPTION_KEY = 'only for this run';
process.env.N8N_DIAGNOSTICS_ENABLED = 'false';
process.env.N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS = 'true';
process.env.N8N_LOG_LEVEL ??= 'silent';

/** The newest n8n, unless a test run selects the oldest supported one: see engines/run.ts. */
const { N8N_ENGINE: chosen } = process.env;

/** Loaded as n8n's server does, so that each class has only one copy. */
const load = createRequire(import.meta.url);
load('reflect-metadata');
const loadEngine = chosen ? createRequire(path.join(chosen, 'package.json')) : load;
export const n8nWorkflow = loadEngine('n8n-workflow') as typeof import('n8n-workflow');
export const n8nCore = loadEngine('n8n-core') as typeof import('n8n-core');

/** The clock of `$today` and `$now` in expressions. */
export const { Settings: n8nClock } = createRequire(loadEngine.resolve('n8n-workflow'))(
  'luxon',
) as { Settings: { now: () => number } };

const loadAsCore = createRequire(loadEngine.resolve('n8n-core'));

/** What n8n builds once for the whole process, by its class. */
export const { Container: n8nContainer } = loadAsCore('@n8n/di') as {
  Container: { get<Service>(type: abstract new (...args: never[]) => Service): Service };
};

const { GlobalConfig, SsrfProtectionConfig } = loadAsCore('@n8n/config') as {
  GlobalConfig: abstract new () => { port: number };
  SsrfProtectionConfig: abstract new () => { enabled: boolean };
};

/** Where n8n listens, and what it keeps below the home of its user. */
export const n8nSettings = {
  port: n8nContainer.get(GlobalConfig).port,
  folder: n8nContainer.get(n8nCore.InstanceSettings).n8nFolder,
};

/** n8n's protection against requests to private addresses, off by default. */
export const n8nSsrfProtection = n8nContainer.get(SsrfProtectionConfig);

const { SsrfProtectionService } = loadAsCore('@n8n/backend-network') as {
  SsrfProtectionService: abstract new () => object;
};

/** What n8n's server gives each execution for it. Its newest engine asks the protection itself. */
export const n8nSsrfBridge = (): object | undefined =>
  n8nSsrfProtection.enabled ? n8nContainer.get(SsrfProtectionService) : undefined;

const { Logger: N8nLogger } = loadAsCore('@n8n/backend-common') as {
  Logger: abstract new () => Logger;
};

/** The log that every context gives its node. */
export const n8nLogger = n8nContainer.get(N8nLogger);
