import path from 'node:path';

/** In the image, which has a link of this name to the program. */
const inImage = 'relay';

/** How users run the relay's commands: in a clone, in the image, or installed. */
export const commandLine: string =
  path.basename(process.argv[1] ?? '') === inImage
    ? inImage
    : import.meta.url.endsWith('.ts')
      ? 'npx -y pnpm@12 run relay'
      : 'npx @screen-advertising/relay';

/** Whether the relay runs in a container, which no key press ends, and whose output others may read. */
export const isInImage: boolean = commandLine === inImage;
