import type { Row } from '../row.js'
import { concurrentFirstStarts } from './concurrent-first-starts.js'
import { dropNotifications } from './drop-notifications.js'
import { filesUnderKills } from './files-under-kills.js'
import { foreignRequests } from './foreign-requests.js'
import { freezePostgres } from './freeze-postgres.js'
import { fullDisk } from './full-disk.js'
import { highAvailability } from './high-availability.js'
import { hostileClient } from './hostile-client.js'
import { killAndFreeze } from './kill-and-freeze.js'
import { killDatabaseOwner } from './kill-database-owner.js'
import { killPostgres } from './kill-postgres.js'
import { mentionsUnderKills } from './mentions-under-kills.js'
import { notificationsUnderKills } from './notifications-under-kills.js'
import { oneUse } from './one-use.js'
import { overload } from './overload.js'
import { reconnectStorm } from './reconnect-storm.js'
import { revokedCredentials } from './revoked-credentials.js'
import { staleClaims } from './stale-claims.js'
import { stopUnderLoad } from './stop-under-load.js'
import { threeInstances } from './three-instances.js'
import { unreadStreams } from './unread-streams.js'
import { webhooksUnderKills } from './webhooks-under-kills.js'

/** All rows, in the order of docs/reliability.md. */
export const ROWS: readonly Row[] = [
  threeInstances,
  overload,
  reconnectStorm,
  killAndFreeze,
  killPostgres,
  dropNotifications,
  killDatabaseOwner,
  unreadStreams,
  concurrentFirstStarts,
  stopUnderLoad,
  freezePostgres,
  fullDisk,
  highAvailability,
  webhooksUnderKills,
  notificationsUnderKills,
  filesUnderKills,
  mentionsUnderKills,
  staleClaims,
  oneUse,
  hostileClient,
  revokedCredentials,
  foreignRequests,
]
