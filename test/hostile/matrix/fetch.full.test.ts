import { fetchTransport } from '@screen-advertising/core/fetch';
import { cellsOf } from './cell.ts';
import { corePlayer } from './core-player.ts';
import { describeMatrix } from './describe-matrix.ts';

describeMatrix(corePlayer('fetch', fetchTransport()), cellsOf('fetch'));
