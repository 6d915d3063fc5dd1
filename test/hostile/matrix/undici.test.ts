import { cellsOf, sampleOf } from './cell.ts';
import { describeMatrix } from './describe-matrix.ts';
import { undiciPlayer } from './undici-player.ts';

describeMatrix(undiciPlayer(), sampleOf(cellsOf('undici')));
