const { globSync } = require('node:fs');
const path = require('node:path');

/*
 * How Jest follows imports backwards for `--findRelatedTests`, from a source to its tests.
 */

/** It names no conditions then, and would find the built packages. */
const ofSources = ['source', 'node', 'node-addons', 'require', 'default'];

exports.sync = (request, options) =>
  options.defaultResolver(request, { ...options, conditions: options.conditions ?? ofSources });

const n8nPackage = path.join(__dirname, '../packages/n8n-nodes-screen-advertising');

/** The tests of n8n bundle what n8n loads, and import none of it. */
exports.extract = (code, file, defaultExtract) => {
  const found = defaultExtract(code, file, defaultExtract);
  if (!file.endsWith('/test/n8n/n8n.ts')) return found;
  const loaded = globSync('{nodes/*/*.node,credentials/*.credentials}.ts', { cwd: n8nPackage });
  return new Set([...found, ...loaded.map((one) => path.join(n8nPackage, one))]);
};

exports.getCacheKey = () => '1';
