import type { StoreContext } from '../connection/store-context.js'
import { channelStore } from './channel.js'
import { deliveryStore } from './delivery.js'
import { leaseStore } from './lease.js'
import { pendingStore } from './pending.js'
import { presenceStore } from './presence.js'
import { settingsStore } from './settings.js'

export const notificationStore = (context: StoreContext) => ({
  ...settingsStore(context),
  ...channelStore(context),
  ...pendingStore(context),
  ...presenceStore(context),
  ...leaseStore(context),
  ...deliveryStore(context),
})
