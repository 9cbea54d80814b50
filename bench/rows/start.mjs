import { Service } from '../service.mjs'

/** @import { Row } from '../row.mjs' */

const SPACE = 'history'

/** @type {Row} */
export const start = {
  name: 'start',
  title: 'start to ready on existing data',
  about:
    'From the start of the built server as a process to the line that says it is ready, with its PostgreSQL started and ' +
    'its migrations looked at, on data that an earlier run has left.',
  tools: [],
  claims: [
    {
      measured: 'start to ready on existing data, built',
      side: 'service',
      figure: 'seconds',
      bound: 'at most',
      unit: 's',
      must: 1.5,
      aim: 0.8,
    },
  ],
  async open({ sizes }) {
    const service = await Service.open()
    const human = await service.registerHuman('Ada')
    await service.openSpace(human, SPACE)
    const speakers = [{ actor_id: human.actorId, display_name: human.name }]
    await service.fill([{ scope: human.scope, spaceId: SPACE, share: 1, speakers }], sizes.eventsOfYoung)
    return {
      sides: {
        service: async () => {
          await service.restart()
          return { seconds: service.server.readyMs / 1_000 }
        },
      },
      close: () => service.close(),
    }
  },
}
