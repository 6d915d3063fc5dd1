/**
 * Publishes as npm's trusted publisher, so without a token, and with the provenance that n8n asks
 * for. The job that may sign does nothing but publish.
 */
const workflow = `name: Publish
on:
  push:
    tags: ['v*']
permissions:
  contents: read
jobs:
  build:
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@pinned
        with:
          persist-credentials: false
      - uses: actions/setup-node@pinned
        with:
          node-version: 24
          package-manager-cache: false
      - run: npx -y pnpm@pinned install --frozen-lockfile --ignore-scripts
      - run: npx -y pnpm@pinned run lint
      - run: node scripts/build.mts
      - run: npx -y pnpm@pinned pack --pack-destination release
      - uses: actions/upload-artifact@pinned
        with:
          name: package
          path: release/*.tgz
          if-no-files-found: error
  publish:
    needs: build
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    permissions:
      id-token: write
    steps:
      - uses: actions/setup-node@pinned
        with:
          node-version: 24
          package-manager-cache: false
      - uses: actions/download-artifact@pinned
        with:
          name: package
      - run: for file in ./*.tgz; do npm publish "$file" --access public --provenance --ignore-scripts; done
`;

/**
 * The workflow of the public repository, with the versions that `release` pins: one place to
 * update.
 */
export function publicWorkflow(release: string): string {
	return workflow.replace(/([\w/-]+)@pinned/g, (_, name: string) => {
		const [pinned] = new RegExp(`${name}@\\S+(?: # v\\S+)?`).exec(release) ?? [];
		if (!pinned) throw new Error(`The release does not use ${name}, so it names no version of it.`);
		return pinned;
	});
}
