import pg from 'pg'
import { NotPrimary } from './fault.js'

export interface PrimaryClientConfig extends pg.ClientConfig {
  /** Called before the queries of the connection fail. */
  readonly onNotPrimary?: () => void
}

/** Parameters that PostgreSQL reports at the start of a session and at each change. */
const MARKS_OF_A_STANDBY: ReadonlySet<string> = new Set(['in_hot_standby', 'default_transaction_read_only'])

interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

type ConnectCallback = Exclude<Parameters<pg.Client['connect']>[0], undefined>

/**
 * A client that accepts only a primary: a standby returns stale reads, and after a failover a proxy may briefly lead to the
 * old primary.
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
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.Client> | undefined {
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error: Error | null) => (error ? reject(error) : resolve(this)))
      })
    }
    const done = callback as (error: Error | null, client?: pg.Client) => void
    // All callers have been notified by then.
    super.connect((error: Error | null) => {
      this.#isOpen = true
      if (error || this.#marks.size === 0) return done(error, this)
      this.leave()
      done(new NotPrimary())
    })
    return undefined
  }

  /** Ends the connection and fails its queries. */
  protected leave(): void {
    this.#onNotPrimary?.()
    void this.end()
  }
}
