import { describeService } from './describe-service.ts';
import { zapierPlayer } from './players/zapier.ts';

describeService(zapierPlayer());
