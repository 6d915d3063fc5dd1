import { connect } from '../../../packages/relay/src/database/connect.ts';
import { migrate, migrations } from '../../../packages/relay/src/database/migrate.ts';
import { later } from './later-migration.ts';

// The start of a later release, as its own process: it migrates DATABASE_URL and ends.
const { db } = connect(process.env.DATABASE_URL ?? '', () => undefined);
await migrate(db, { ...migrations, '9999-later': later });
await db.destroy();
