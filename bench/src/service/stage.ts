import type { Sizes } from '../sizes.js'
import type { Checkout } from './checkout.js'
import { type Human, Service, speakerOf } from './service.js'

/** A service in use: some spaces with a history in each. Most rows share it. */
export interface Stage {
  readonly service: Service
  readonly human: Human
  readonly spaces: readonly string[]
}

export async function openStage(checkout: Checkout, sizes: Sizes): Promise<Stage> {
  const service = await Service.open(checkout)
  const human = await service.registerHuman('Ada')
  const spaces: string[] = []
  for (let n = 0; n < sizes.spaces; n++) spaces.push(await service.openSpace(human, `space-${n}`))
  const outlines = spaces.map((spaceId) => ({ scope: human.scope, spaceId, share: 1, speakers: [speakerOf(human)] }))
  await service.fill(outlines, sizes.spaces * sizes.eventsInSpace)
  return { service, human, spaces }
}
