import type { StoreContext } from '../connection/store-context.js'
import { contentsStore } from './contents.js'
import { deliveryStore } from './delivery.js'
import { doneStore } from './done.js'
import { pageStore } from './page.js'
import { snoozeStore } from './snooze.js'

export const inboxStore = (context: StoreContext) => ({
  ...pageStore(context),
  ...doneStore(context),
  ...deliveryStore(context),
  ...contentsStore(context),
  ...snoozeStore(context),
})
