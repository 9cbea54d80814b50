import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { newestEvent, pageRequests } from '../pages.mjs'
import { speeches } from '../said.mjs'
import { Service } from '../service.mjs'
import { Readers } from '../streams/readers.mjs'
import { streamOf } from '../streams/watch.mjs'
import { answersTo } from '../wrk.mjs'

/** @import { Row } from '../row.mjs' */

const SPACE = 'quiet'
const LOOK_EVERY_MS = 1_000

/** @type {Row} */
export const memory = {
  name: 'memory',
  title: 'memory of the server process',
  about:
    'Resident memory of the server alone, without its PostgreSQL: after the start and a first write and page, and what ' +
    'each of many idle streams adds to that.',
  tools: [],
  claims: [
    { measured: 'memory, idle', side: 'service', figure: 'idle MB', bound: 'at most', unit: 'MB', must: 130, aim: 90 },
    {
      measured: 'memory per idle stream at 5,000',
      side: 'service',
      figure: 'KB per stream',
      bound: 'at most',
      unit: 'KB',
      must: 25,
      aim: 12,
    },
  ],
  async open({ sizes: { readers, looksAtMemory } }) {
    const service = await Service.open()
    const human = await service.registerHuman('Ada')
    await service.openSpace(human, SPACE)
    return {
      cold: true,
      sides: {
        service: async () => {
          await service.restart()
          await answersTo(service.url, speeches(human, [SPACE], 1))
          const newest = await newestEvent(service, human, SPACE)
          await answersTo(service.url, pageRequests(human, [newest]))
          const idle = await residentBytes(service.server.pid, looksAtMemory)
          const streams = await Readers.open(service.url, [streamOf(human, newest)], readers)
          const withStreams = await residentBytes(service.server.pid, looksAtMemory)
          await streams.close()
          return {
            'idle MB': idle / 1e6,
            'KB per stream': (withStreams - idle) / readers / 1e3,
            'with streams MB': withStreams / 1e6,
          }
        },
      },
      close: () => service.close(),
    }
  },
}

/** Once it did not shrink for so many looks. @param {number} pid @param {number} looks */
async function residentBytes(pid, looks) {
  let least = Number.POSITIVE_INFINITY
  for (let steady = 0; steady < looks; steady++) {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
    const bytes = Number(stdout) * 1_024
    if (bytes < least) {
      least = bytes
      steady = 0
    }
    await delay(LOOK_EVERY_MS)
  }
  return least
}
