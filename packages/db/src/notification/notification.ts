import type { StoreContext } from '../connection/store-context.js'
import { channelStore } from './channel.js'
import { deliveryStore } from './delivery.js'
import { leaseStore } from './lease.js'
import { pendingStore } from './pending.js'
import { settingsStore } from './settings.js'

export const notificationStore = (context: StoreContext) => ({
  ...settingsStore(context),
  ...channelStore(context),
  ...pendingStore(context),
  ...leaseStore(context),
  ...deliveryStore(context),
})
