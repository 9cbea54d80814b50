import type { Figures, Row } from '../row.js'
import { Service } from '../service/service.js'
import { growthDuring } from '../tools/memory.js'
import { processorTime } from '../tools/processor.js'
import { wrk } from '../tools/wrk.js'
import { ChunkTable } from '../workload/chunk-table.js'
import { fetchAll } from '../workload/request.js'
import { speeches } from '../workload/speeches.js'
import { download, openPlaces, type Place, remove, type UploadedFile, upload } from '../workload/transfers.js'

const SPACE = 'speech'
const TEXTS = 16
const CONNECTIONS = 4
const HUMANS = 10
/** A good uplink. */
const PACE_BYTES = 2 * 1024 * 1024

export const files: Row = {
  name: 'files',
  title: '50 uploads and 50 downloads of 25 MiB at a time',
  about:
    'Peak growth of the memory of the server process, throughput, and its processor time, when it was just started, with ' +
    `50 uploads at a time and then 50 downloads. Also the p99 of speech from ${CONNECTIONS} connections beside ten uploads ` +
    'of 2 MiB a second each, against none, and against the same bytes that the driver of PostgreSQL writes. It needs 6 GB ' +
    'of disk.',
  tools: ['wrk'],
  claims: [
    {
      measured: 'speech beside ten uploads, p99',
      side: 'speech beside uploads',
      figure: 'p99',
      against: 'speech',
      bound: 'at most',
      must: 1.2,
      aim: 1.1,
    },
    {
      measured: 'the same, of that beside bare writes',
      side: 'speech beside uploads',
      figure: 'p99',
      against: 'speech beside bare writes',
      bound: 'at most',
      must: 1.2,
      aim: 1.1,
    },
    {
      measured: 'memory for 50 uploads',
      side: 'transfers',
      figure: 'upload growth MB',
      bound: 'at most',
      unit: 'MB',
      must: 40,
      aim: 30,
    },
    {
      measured: 'memory for 50 downloads',
      side: 'transfers',
      figure: 'download growth MB',
      bound: 'at most',
      unit: 'MB',
      must: 40,
      aim: 30,
    },
  ],
  async service({ checkout, sizes: { seconds, transfers, fileBytes } }) {
    const service = await Service.open(checkout)
    const human = await service.registerHuman('Ada')
    await service.openSpace(human, SPACE)
    const places = await openPlaces(service, HUMANS)
    const requests = speeches(human, [SPACE], TEXTS)
    const { directory } = service
    const speech = () => wrk({ url: service.url, requests, connections: CONNECTIONS, seconds, directory })
    return {
      measures: {
        speech,
        'speech beside uploads': () => beside(places, (place) => uploadAndRemove(service, place, fileBytes), speech),
        'speech beside bare writes': async () => {
          const table = await ChunkTable.open(service.connection)
          try {
            return await beside(places, () => table.transfer(fileBytes, PACE_BYTES), speech)
          } finally {
            await table.close()
          }
        },
        transfers: async () => {
          await service.restart()
          await fetchAll(service.url, requests.slice(0, 1))
          return transferAll(service, places, { count: transfers, bytes: fileBytes })
        },
      },
      close: service.close,
    }
  },
}

/** Measures while each human transfers one file after the other. */
async function beside<T>(
  places: readonly Place[],
  transfer: (place: Place) => Promise<void>,
  measure: () => Promise<T>,
) {
  let isOver = false
  const transfers = places.map(async (place) => {
    while (!isOver) await transfer(place)
  })
  try {
    return await measure()
  } finally {
    isOver = true
    await Promise.all(transfers)
  }
}

async function uploadAndRemove({ url }: Service, place: Place, bytes: number): Promise<void> {
  await remove(url, await upload(url, place, bytes, PACE_BYTES))
}

async function transferAll(
  { url, server }: Service,
  places: readonly Place[],
  { count, bytes }: { readonly count: number; readonly bytes: number },
): Promise<Figures> {
  const placeOf = (n: number) => places[n % places.length] as Place
  const megabytes = (count * bytes) / 1e6
  const measured = async (name: string, work: () => Promise<unknown>): Promise<Figures> => {
    const [begun, spent] = [performance.now(), await processorTime(server.pid)]
    const growth = await growthDuring(server.pid, work)
    const seconds = (performance.now() - begun) / 1_000
    return {
      [`${name} growth MB`]: growth,
      [`${name} MB/s`]: megabytes / seconds,
      [`${name} processor ms per MB`]: ((await processorTime(server.pid)) - spent) / megabytes,
    }
  }
  // Loads what the first transfer needs.
  const [first] = places as [Place]
  const small = await upload(url, first, 1_000)
  await download(url, small)
  let uploaded: UploadedFile[] = []
  const uploads = await measured('upload', async () => {
    uploaded = await Promise.all(Array.from({ length: count }, (_, n) => upload(url, placeOf(n), bytes)))
  })
  const downloads = await measured('download', () => Promise.all(uploaded.map((file) => download(url, file))))
  for (const file of [small, ...uploaded]) await remove(url, file)
  return { ...uploads, ...downloads }
}
