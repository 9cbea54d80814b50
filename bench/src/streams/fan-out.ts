import type { Baseline } from '../baselines/program.js'
import type { Bench, Measure } from '../row.js'
import type { Human } from '../service/service.js'
import { newestEvent } from '../workload/pages.js'
import { stampedSpeech, streamAfter, watch } from './watch.js'

/** A speech in one space of the stage, to its readers. */
export async function serviceFanOut(bench: Bench): Promise<Measure> {
  const { service, human, spaces } = await bench.stage()
  const space = String(spaces[1])
  return async () =>
    watch({
      readAt: service.url,
      pid: service.server.pid,
      streams: [streamAfter(human, await newestEvent(service, human, space))],
      readers: bench.sizes.readers,
      writes: { url: service.url, requestOf: () => stampedSpeech(human, space), ...paceOf(bench) },
    })
}

/** The same event through a program that only passes it on: what is sent to `/publish` comes out of `/stream`. */
export async function relayFanOut({ url, pid }: Baseline, bench: Bench): Promise<Measure> {
  const { human, spaces } = await bench.stage()
  const space = String(spaces[1])
  return () =>
    watch({
      readAt: url,
      pid,
      streams: [{ path: '/stream', headers: { Accept: 'text/event-stream' } }],
      readers: bench.sizes.readers,
      writes: {
        url,
        requestOf: () => ({ method: 'POST', path: '/publish', body: stampedEvent(human, space) }),
        ...paceOf(bench),
      },
    })
}

const paceOf = ({ sizes }: Bench) => ({ perSecond: sizes.eventsPerSecond, seconds: sizes.streamSeconds })

/** The bytes that readers of the service get of a speech, so that a relay has as much to send. */
const stampedEvent = (human: Human, space: string) => ({
  event_id: '00000000-0000-7000-8000-000000000000',
  space_id: space,
  speaker_id: human.actorId,
  speaker_name: human.name,
  speaker_type: 'human',
  timestamp: '2000-01-01T00:00:00.000Z',
  parent_event_id: null,
  references: [],
  thread_id: null,
  ...stampedSpeech(human, space).body,
  posted_by: human.actorId,
  posted_by_name: human.name,
  posted_by_type: 'human',
})
