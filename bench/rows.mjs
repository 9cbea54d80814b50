import { decision } from './rows/decision.mjs'
import { growth } from './rows/growth.mjs'
import { hotSpace } from './rows/hot-space.mjs'
import { list } from './rows/list.mjs'
import { notifications } from './rows/notifications.mjs'
import { scaling } from './rows/scaling.mjs'
import { searches } from './rows/search.mjs'
import { speech } from './rows/speech.mjs'
import { views } from './rows/views.mjs'

/** Every row, in the order of the table. @type {readonly import('./row.mjs').Row[]} */
export const ROWS = [list, speech, hotSpace, growth, searches, views, decision, scaling, notifications]
