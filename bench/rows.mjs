import { decision } from './rows/decision.mjs'
import { growth } from './rows/growth.mjs'
import { hotSpace } from './rows/hot-space.mjs'
import { instances } from './rows/instances.mjs'
import { list } from './rows/list.mjs'
import { memory } from './rows/memory.mjs'
import { nchan } from './rows/nchan.mjs'
import { notifications } from './rows/notifications.mjs'
import { parse } from './rows/parse.mjs'
import { scaling } from './rows/scaling.mjs'
import { searches } from './rows/search.mjs'
import { speech } from './rows/speech.mjs'
import { start } from './rows/start.mjs'
import { stream } from './rows/stream.mjs'
import { views } from './rows/views.mjs'

/** Every row, in the order of the table. @type {readonly import('./row.mjs').Row[]} */
export const ROWS = [
  list,
  speech,
  hotSpace,
  parse,
  nchan,
  stream,
  growth,
  searches,
  views,
  decision,
  memory,
  start,
  instances,
  scaling,
  notifications,
]
