import pg from 'pg'
import { NotPrimary } from './fault.js'

export interface PrimaryClientConfig extends pg.ClientConfig {
  /** Called before the callers that wait for the connection or for a result on it. */
  readonly onNotPrimary?: () => void
}

/** Parameters that PostgreSQL tells without being asked, when a session begins and when they change. */
const MARKS_OF_A_STANDBY: ReadonlySet<string> = new Set(['in_hot_standby', 'default_transaction_read_only'])

interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

type Connected = Exclude<Parameters<pg.Client['connect']>[0], undefined>

/**
 * A client that only a primary is good enough for. A standby would answer reads too, but with what was true a while ago; and
 * after a fail-over a proxy may lead to the old primary for a moment.
 */
export class PrimaryClient extends pg.Client {
  readonly #onNotPrimary: (() => void) | undefined
  readonly #marks = new Set<string>()
  #isOpen = false

  constructor(config: PrimaryClientConfig) {
    super(config)
    this.#onNotPrimary = config.onNotPrimary
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (!MARKS_OF_A_STANDBY.has(parameterName)) return
      if (parameterValue === 'on') this.#marks.add(parameterName)
      else this.#marks.delete(parameterName)
      if (this.#isOpen && this.#marks.size > 0) this.leave()
    })
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error: Error | null) => (error ? reject(error) : resolve(this)))
      })
    }
    const done = callback as (error: Error | null, client?: pg.Client) => void
    // Everything has been told by then.
    super.connect((error: Error | null) => {
      this.#isOpen = true
      if (error || this.#marks.size === 0) return done(error, this)
      this.leave()
      done(new NotPrimary())
    })
    return undefined
  }

  /** Ends the connection, with all that is under way on it. */
  protected leave(): void {
    this.#onNotPrimary?.()
    void this.end()
  }
}
