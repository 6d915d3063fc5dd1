import { cellsOf, sampleOf } from './cell.ts';
import { describeMatrix } from './describe-matrix.ts';
import { zapierPlayer } from './zapier-player.ts';

describeMatrix(zapierPlayer(), sampleOf(cellsOf('zapier')));
