import type { Attack } from './attack.js'
import { batches } from './batches.js'
import { dearReads } from './dear-reads.js'
import { digests } from './digests.js'
import { heldBodies } from './held-bodies.js'
import { matches } from './matches.js'
import { mentions } from './mentions.js'
import { pages } from './pages.js'
import { pipelined } from './pipelined.js'
import { ready } from './ready.js'
import { smallChunks } from './small-chunks.js'
import { streams } from './streams.js'
import { summaries } from './summaries.js'
import { values } from './values.js'

export const ATTACKS: readonly Attack[] = [
  pipelined,
  pages,
  digests,
  batches,
  values,
  streams,
  heldBodies,
  smallChunks,
  mentions,
  matches,
  dearReads,
  summaries,
  ready,
]
