import { Service } from './service.mjs'

/** @import { Human } from './service.mjs' */
/** @import { Sizes } from './sizes.mjs' */

/**
 * @typedef {object} Stage A service that is in use: some spaces with a history in each. Most rows share it.
 * @property {Service} service
 * @property {Human} human
 * @property {string[]} spaces
 */

/** @param {Sizes} sizes @returns {Promise<Stage>} */
export async function openStage(sizes) {
  const service = await Service.open()
  const human = await service.registerHuman('Ada')
  const spaces = []
  for (let n = 0; n < sizes.spaces; n++) spaces.push(await service.openSpace(human, `space-${n}`))
  const speakers = [{ actor_id: human.actorId, display_name: human.name }]
  const places = spaces.map((spaceId) => ({ scope: human.scope, spaceId, share: 1, speakers }))
  await service.fill(places, sizes.spaces * sizes.eventsInSpace)
  return { service, human, spaces }
}
