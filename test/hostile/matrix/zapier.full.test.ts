import { cellsOf } from './cell.ts';
import { describeMatrix } from './describe-matrix.ts';
import { zapierPlayer } from './zapier-player.ts';

describeMatrix(zapierPlayer(), cellsOf('zapier'));
