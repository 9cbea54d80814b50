import type { Sizes } from '../sizes.js'
import type { Checkout } from './checkout.js'
import { type Human, Service } from './service.js'

/** A service with some spaces that have a history. Most rows share it. */
export interface Stage {
  readonly service: Service
  readonly human: Human
  readonly spaces: readonly string[]
}

export async function openStage(checkout: Checkout, sizes: Sizes): Promise<Stage> {
  const service = await Service.open(checkout)
  const human = await service.registerHuman('Ada')
  const spaces = await service.openSpaces(human, sizes.spaces, sizes.eventsInSpace)
  return { service, human, spaces }
}
