import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Figures, Row } from '../row.js'
import { type Human, Service } from '../service/service.js'
import type { Sizes } from '../sizes.js'
import { Readers } from '../streams/readers.js'
import { streamAfter } from '../streams/watch.js'
import { newestEvent, pageRequests } from '../workload/pages.js'
import { fetchAll } from '../workload/request.js'
import { speeches } from '../workload/speeches.js'

const SPACE = 'quiet'
const SAMPLE_INTERVAL_MS = 1_000

export const memory: Row = {
  name: 'memory',
  title: 'memory of the server process',
  about:
    'Resident memory of the server alone, without its PostgreSQL: after the start and a first write and page, and what ' +
    'each of many idle streams adds to that.',
  tools: ['cc'],
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
  async service({ checkout, sizes }) {
    const service = await Service.open(checkout)
    const human = await service.registerHuman('Ada')
    await service.openSpace(human, SPACE)
    return {
      cold: true,
      measures: { service: () => memoryAfterStart(service, human, sizes) },
      close: service.close,
    }
  },
}

async function memoryAfterStart(service: Service, human: Human, sizes: Sizes): Promise<Figures> {
  await service.restart()
  const { server, url } = service
  await fetchAll(url, speeches(human, [SPACE], 1))
  const newest = await newestEvent(service, human, SPACE)
  await fetchAll(url, pageRequests(human, [newest]))
  const idle = await residentBytes(server.pid, sizes.memorySamples)
  const streams = await Readers.open(url, [streamAfter(human, newest)], sizes.readers)
  const withStreams = await residentBytes(server.pid, sizes.memorySamples)
  await streams.close()
  return {
    'idle MB': idle / 1e6,
    'KB per stream': (withStreams - idle) / sizes.readers / 1e3,
    'with streams MB': withStreams / 1e6,
  }
}

/** Returns the resident memory, once it has not shrunk for this many samples. */
async function residentBytes(pid: number, samples: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let steady = 0; steady < samples; steady++) {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
    const bytes = Number(stdout) * 1_024
    if (bytes < least) {
      least = bytes
      steady = 0
    }
    await delay(SAMPLE_INTERVAL_MS)
  }
  return least
}
