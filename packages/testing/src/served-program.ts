import type { ConnectionOptions } from '@collab-spaces/db'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { Client } from './client.js'
import { servingConnection, urlOf } from './database.js'
import { useDatabase } from './fresh-database.js'
import { PATIENT } from './patience.js'
import { freePorts } from './port.js'
import { Program } from './program.js'

/** A client of the built server, which a test can stop, kill and restart with the same address and database. */
export class ServedProgram extends Client {
  /** The database, for direct queries as the role that owns it. */
  connection!: ConnectionOptions
  /** The current or last process. */
  program!: Program

  constructor(private readonly environment: Readonly<Record<string, string>>) {
    super('')
  }

  /** Resolves when the server answers. */
  async start(): Promise<void> {
    const { port } = new URL(this.url)
    this.program = new Program({
      DATABASE_URL: urlOf(servingConnection(this.connection)),
      MIGRATION_DATABASE_URL: urlOf(this.connection),
      DATABASE_POOL: '8',
      ...PATIENT,
      ...this.environment,
      PORT: port,
    })
    await this.program.url()
  }

  /** Stops it, and waits for its exit. */
  async stop(): Promise<void> {
    await this.program.kill('SIGTERM')
  }

  /** Kills it. */
  async kill(): Promise<void> {
    await this.program.kill('SIGKILL')
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }
}

/**
 * Runs the built server for all tests of a file, on a new database. Returns a client without a credential, whose `as`
 * returns one with a credential. Use within `describe` or at the top of a file.
 */
export function useProgram(environment: Readonly<Record<string, string>> = {}): ServedProgram {
  const database = useDatabase()
  const served = new ServedProgram(environment)
  beforeAll(async () => {
    served.connection = database.connection
    served.url = `http://127.0.0.1:${await freePorts(1)}`
    await served.start()
  })
  afterAll(() => served.program?.kill('SIGKILL'))
  return served
}

/** Starts the built server for one test, and ends it afterwards. */
export function startProgram(environment: Readonly<Record<string, string>>, words?: readonly string[]): Program {
  const program = new Program({ ...PATIENT, ...environment }, words)
  onTestFinished(async () => {
    await program.kill('SIGKILL')
  })
  return program
}
