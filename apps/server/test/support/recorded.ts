import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { ConnectionOptions } from '@collab-spaces/db'
import pg from 'pg'

/** A value as it went over the wire. */
type Value = string | { readonly hex: string } | null

/** What `scripts/record-statements.mjs` has written, in its order. */
type Step =
  | {
      readonly kind: 'sent'
      readonly number: number
      readonly connection: number
      readonly text: string
      readonly values: readonly Value[]
    }
  | { readonly kind: 'answered'; readonly number: number; readonly error: string | null }
  | { readonly kind: 'opened' }

/** The statements of a server of another release, which are sent again as that server would send them now. */
export class RecordedServer {
  readonly #connections = new Map<number, Promise<pg.Client>>()
  readonly #answers = new Map<number, Promise<{ text: string; error: string | null }>>()

  constructor(private readonly database: ConnectionOptions) {}

  /**
   * Sends all of a file, each statement on its connection, and none before what had been answered before. `onOpened` is
   * called at the point that was marked. Returns the statements that fail and did not.
   */
  async run(file: string, onOpened: () => Promise<void>): Promise<string[]> {
    const lines = (await promisify(gunzip)(await readFile(file))).toString().trimEnd().split('\n')
    const failures: string[] = []
    for (const step of lines.map((line): Step => JSON.parse(line))) {
      if (step.kind === 'opened') await onOpened()
      else if (step.kind === 'sent') await this.#send(step)
      else {
        const { text, error } = (await this.#answers.get(step.number)) ?? { text: '', error: null }
        if (error !== null && step.error === null) failures.push(`${error}: ${text}`)
      }
    }
    return failures
  }

  async close(): Promise<void> {
    for (const client of this.#connections.values()) await (await client).end()
  }

  async #send({ number, connection, text, values }: Extract<Step, { kind: 'sent' }>): Promise<void> {
    const client = await this.#connectionOf(connection)
    const sent = client.query(text, values.map(decoded))
    this.#answers.set(
      number,
      sent.then(
        () => ({ text, error: null }),
        (error: Error) => ({ text, error: error.message }),
      ),
    )
  }

  #connectionOf(number: number): Promise<pg.Client> {
    const known = this.#connections.get(number)
    if (known) return known
    const client = new pg.Client({ ...this.database, options: '-c timezone=UTC -c statement_timeout=30000' })
    const connected = client.connect().then(() => client)
    this.#connections.set(number, connected)
    return connected
  }
}

const decoded = (value: Value) => (value !== null && typeof value === 'object' ? Buffer.from(value.hex, 'hex') : value)
