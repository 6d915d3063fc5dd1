/** Writes the public repository of the package to the folder named on the command line. */
import path from 'node:path';
import { writePublicRepository } from './public-repository.mts';

const [, , folder] = process.argv;
if (!folder) throw new Error('Name the folder of the public repository.');
await writePublicRepository(path.resolve(folder));
