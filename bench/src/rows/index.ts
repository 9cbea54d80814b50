import type { Row } from '../row.js'
import { claimedSpeech } from './claimed-speech.js'
import { decision } from './decision.js'
import { files } from './files.js'
import { growth } from './growth.js'
import { hotSpace } from './hot-space.js'
import { inbox } from './inbox.js'
import { instances } from './instances.js'
import { list } from './list.js'
import { logVerify } from './log-verify.js'
import { mcp } from './mcp.js'
import { memory } from './memory.js'
import { nchan } from './nchan.js'
import { parseServerRow } from './parse-server.js'
import { release } from './release.js'
import { scaling } from './scaling.js'
import { search } from './search.js'
import { speech } from './speech.js'
import { start } from './start.js'
import { stream } from './stream.js'
import { views } from './views.js'
import { wakeUp } from './wake-up.js'
import { webhooks } from './webhooks.js'

/** All rows, in the order of the table. */
export const ROWS: readonly Row[] = [
  list,
  speech,
  claimedSpeech,
  webhooks,
  parseServerRow,
  hotSpace,
  stream,
  nchan,
  growth,
  search,
  views,
  decision,
  mcp,
  inbox,
  files,
  memory,
  start,
  release,
  logVerify,
  instances,
  wakeUp,
  scaling,
]
