/*
 * Replaces a library's text by Node's own copy, which a worker loads once for all its files: for those
 * that load slowly and keep nothing of a test. See jest.environment.ts.
 */
exports.process = () => ({
  code: "module.exports = globalThis[Symbol.for('screen-advertising.create-require')](__filename)(__filename);",
});

exports.getCacheKey = () => '1';
