import { setTimeout as delay } from 'node:timers/promises'
import type { Figures, Row } from '../row.js'
import { type Human, Service } from '../service/service.js'
import { processorTime, processorTimeOfFamily } from '../tools/processor.js'
import { wrk } from '../tools/wrk.js'
import { HookReceiver } from '../workload/hook-receiver.js'
import { fetchAll } from '../workload/request.js'
import { speeches } from '../workload/speeches.js'

/** The maximum for one actor: one for each space that gets writes. */
const WEBHOOKS = 20
const CONNECTIONS = 16
const TEXTS = 16
/** Longer than a round, and less than the response timeout of a server. */
const HELD_MS = 12_000
/** Without further requests for this time, no more will arrive. */
const SETTLED_MS = 1_000
/** On a busy machine, the first requests take several seconds. */
const SETTLE_TIMEOUT_MS = 60_000

export const webhooks: Row = {
  name: 'webhooks',
  title: `speech in ${WEBHOOKS} spaces, each with a webhook`,
  about:
    `Speech in ${WEBHOOKS} spaces from ${CONNECTIONS} connections, with a webhook for each space against the same with ` +
    'none. While writes are compared, the receiver holds its requests, so that each webhook is due and delivers ' +
    'nothing: the difference is the cost for a write. The cost of deliveries, which share the cores with everything else, ' +
    'is measured separately: writes with immediate deliveries, and deliveries alone, as processor time per event.',
  tools: ['wrk'],
  claims: [
    {
      measured: `speech with ${WEBHOOKS} webhooks`,
      side: 'with webhooks',
      figure: 'perSecond',
      against: 'without',
      bound: 'at least',
      must: 0.98,
      aim: 0.99,
    },
  ],
  async service({ checkout, sizes: { seconds, eventsInSpace } }) {
    const service = await Service.open(checkout, undefined, { WEBHOOK_NETWORKS: 'loopback' })
    const human = await service.registerHuman('Ada')
    const spaces = await service.openSpaces(human, WEBHOOKS, eventsInSpace)
    const receiver = await HookReceiver.start()
    const hooks = await Hooks.on(service, human, spaces, receiver)

    const requests = speeches(human, spaces, TEXTS)
    const firsts = speeches(human, spaces, 1)
    const { url, directory } = service
    const writes = () => wrk({ url, requests, connections: CONNECTIONS, seconds, directory })
    return {
      measures: {
        without: writes,
        'with webhooks': () =>
          hooks.during(
            async () => {
              // So that no request is pending while writes are measured.
              await fetchAll(url, firsts)
              await hooks.areHeld()
              return writes()
            },
            { from: 'now', holdMs: HELD_MS },
          ),
        'with webhooks, delivered at once': () => hooks.during(writes, { from: 'now', holdMs: 0 }),
        'deliveries alone': () =>
          hooks.during(() => deliveries(service, receiver, seconds), { from: 'beginning', holdMs: 0 }),
      },
      async close() {
        receiver.close()
        await service.close()
      },
    }
  },
}

/** Webhooks that are enabled only during a measurement. */
class Hooks {
  private constructor(
    private readonly client: ReturnType<Service['clientOf']>,
    private readonly ids: readonly string[],
    private readonly receiver: HookReceiver,
  ) {}

  static async on(service: Service, human: Human, spaces: readonly string[], receiver: HookReceiver): Promise<Hooks> {
    const client = service.clientOf(human)
    const ids: string[] = []
    for (const space_id of spaces) {
      const types = ['events.appended' as const]
      const { webhook_id } = await client.webhook.create.mutate({ url: receiver.url, space_id, types })
      ids.push(webhook_id)
    }
    const hooks = new Hooks(client, ids, receiver)
    await hooks.#setDisabled(true)
    return hooks
  }

  async during<T>(measure: () => Promise<T>, { from, holdMs }: { from: string; holdMs: number }): Promise<T> {
    this.receiver.holdMs = holdMs
    for (const webhook_id of this.ids) await this.client.webhook.replay.mutate({ webhook_id, since: from })
    await this.#setDisabled(false)
    try {
      return await measure()
    } finally {
      await this.#setDisabled(true)
      this.receiver.holdMs = 0
      this.receiver.release()
    }
  }

  /** Resolves when the receiver holds the maximum of concurrent requests for one tenant. */
  async areHeld(): Promise<void> {
    const begun = performance.now()
    for (let known = 0; known === 0 || this.receiver.holding > known; await delay(SETTLED_MS)) {
      if (performance.now() - begun > SETTLE_TIMEOUT_MS) throw new Error('the number of held requests does not settle')
      known = this.receiver.holding
    }
  }

  async #setDisabled(disabled: boolean): Promise<void> {
    for (const webhook_id of this.ids) await this.client.webhook.change.mutate({ webhook_id, disabled })
  }
}

/** Measures deliveries alone, of events that were written before. */
async function deliveries(service: Service, receiver: HookReceiver, seconds: number): Promise<Figures> {
  const postmaster = await service.postmaster()
  const spent = async () => ({
    server: await processorTime(service.server.pid),
    database: await processorTimeOfFamily(postmaster),
    events: receiver.events,
  })
  const before = await spent()
  await delay(seconds * 1_000)
  const after = await spent()
  const events = after.events - before.events
  const microsecondsEach = (milliseconds: number) => (milliseconds * 1_000) / events
  return {
    perSecond: events / seconds,
    serverMicroseconds: microsecondsEach(after.server - before.server),
    databaseMicroseconds: microsecondsEach(after.database - before.database),
  }
}
