import { undiciTransport } from '@screen-advertising/core/undici';
import { cellsOf } from './cell.ts';
import { corePlayer } from './core-player.ts';
import { describeMatrix } from './describe-matrix.ts';

describeMatrix(corePlayer('undici', undiciTransport()), cellsOf('undici'));
