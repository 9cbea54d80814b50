#!/usr/bin/env node
import { prepareHeap } from './heap.js'

/** The minimum version of Node. Older ones fail on syntax before any line runs. */
const OLDEST = [20, 19] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isTooOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])

if (isTooOld) {
  process.stderr.write(`Collaboration Spaces needs Node ${OLDEST.join('.')} or later, not ${process.versions.node}\n`)
  process.exitCode = 1
} else {
  prepareHeap()
  await import('./program.js')
}
