import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@collab-spaces/client'
import { connect, loadLongHistory, seededRandom } from '@collab-spaces/testing/history'
import { afterwards } from './afterwards.mjs'
import { connectionTo, Server } from './server.mjs'

/** @import { Scope } from '@collab-spaces/testing/history' */
/** @import { SpaceOutline } from '@collab-spaces/testing/history' */
/** @import { EmbeddedConnection } from './server.mjs' */

/**
 * @typedef {object} Human Somebody who registered, with its key.
 * @property {string} actorId
 * @property {string} name
 * @property {string} key
 * @property {Scope} scope
 */

const DAYS_30 = 30 * 86_400_000

/** The version of the PostgreSQL that the services brought along. @type {string | undefined} */
export let postgresVersion

/** A server with a PostgreSQL of its own, and what is needed to fill it. */
export class Service {
  /** @param {string} directory @param {boolean} isTemporary @param {Server} server @param {EmbeddedConnection} connection */
  constructor(directory, isTemporary, server, connection) {
    this.directory = directory
    this.server = server
    this.connection = connection
    this.close = afterwards(async () => {
      await this.server.stop()
      if (isTemporary) await rm(directory, { recursive: true, force: true })
    })
  }

  /** Without a directory, in one that goes with it. @param {string} [directory] */
  static async open(directory) {
    const place = directory ?? (await temporaryDirectory())
    const server = await Server.start(place)
    const service = new Service(place, directory === undefined, server, await connectionTo(place))
    postgresVersion ??= (await service.query('SHOW server_version'))[0].server_version
    return service
  }

  get url() {
    return this.server.url
  }

  /** @param {Human} human */
  clientOf(human) {
    return createClient({ url: this.url, token: human.key })
  }

  /** @param {string} name @returns {Promise<Human>} */
  async registerHuman(name) {
    const client = createClient({ url: this.url })
    const { actor_id, api_key } = await client.actor.register.mutate({ display_name: name, email: 'ada@example.org' })
    return { actorId: actor_id, name, key: api_key, scope: await this.#scopeOf(actor_id) }
  }

  /** Somebody with a tenant of its own. @param {string} name @returns {Promise<Human>} */
  async registerTenant(name) {
    const human = await this.registerHuman(name)
    await this.clientOf(human).tenant.create.mutate({ name })
    return { ...human, scope: await this.#scopeOf(human.actorId) }
  }

  /** @param {Human} human @param {string} spaceId */
  async openSpace(human, spaceId) {
    const client = this.clientOf(human)
    await client.space.create.mutate({ space_id: spaceId })
    await client.participant.join.mutate({ space_id: spaceId })
    return spaceId
  }

  /** Thirty days of history, which end now. @param {readonly SpaceOutline[]} places @param {number} events */
  async fill(places, events) {
    const end = Date.now() - 1_000
    const outline = { spaces: places, events, begin: end - DAYS_30, end, random: seededRandom(1) }
    await loadLongHistory(this.connection, outline)
  }

  /** One statement on a connection of its own. @param {string} statement @param {unknown[]} [values] */
  async query(statement, values = []) {
    const client = await connect(this.connection)
    try {
      return (await client.query(statement, values)).rows
    } finally {
      await client.end()
    }
  }

  /** Stops the server with its PostgreSQL, and starts it on the same data. */
  async restart() {
    await this.server.stop()
    this.server = await Server.start(this.directory)
  }

  /** @param {string} actorId @returns {Promise<Scope>} */
  async #scopeOf(actorId) {
    const [actor] = await this.query('SELECT tenant_id FROM actors WHERE actor_id = $1', [actorId])
    return actor.tenant_id
  }
}

/** Everybody may enter it, as PostgreSQL is run by another account when we are root. */
async function temporaryDirectory() {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'spaces-bench-')))
  await chmod(directory, 0o755)
  return directory
}
