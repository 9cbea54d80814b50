import type { Row } from '../row.js'
import { Service, speakerOf } from '../service/service.js'

const SPACE = 'history'

export const start: Row = {
  name: 'start',
  title: 'start to ready on existing data',
  about:
    'From the start of the built server as a process to the line that says it is ready: PostgreSQL started and ' +
    'migrations checked, on the data of an earlier run.',
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
  async service({ checkout, sizes }) {
    const service = await Service.open(checkout)
    const human = await service.registerHuman('Ada')
    await service.openSpace(human, SPACE)
    const speakers = [speakerOf(human)]
    await service.fill([{ tenantId: human.tenantId, spaceId: SPACE, share: 1, speakers }], sizes.eventsOfYoung)
    const measure = async () => {
      await service.restart()
      return { seconds: service.server.readyMs / 1_000 }
    }
    return { measures: { service: measure }, close: service.close }
  },
}
