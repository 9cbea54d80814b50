import {
  type ClientConnection,
  type ContentBlock,
  client,
  type InitializeResponse,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type StopReason,
} from '@agentclientprotocol/sdk'
import { cutText } from '@collab-spaces/client'
import { failed } from '../failure.js'
import { AgentFailure, InterruptedError } from './failure.js'
import { IdleTimeout } from './idle-timeout.js'
import { AgentProcess } from './process.js'
import { type Update, updateIn } from './update.js'

/** How long an agent may take to end what it is doing, once that is cancelled. */
const CANCEL_MS = 10_000

/** The error of an agent that is not signed in with its own program. */
const AUTH_REQUIRED = -32_000

export interface AgentOptions {
  /** A line for the shell. */
  readonly command: string
  readonly env: NodeJS.ProcessEnv
  /** Where it works. */
  readonly cwd: string
  /** How long it may be silent while it is expected to say something. */
  readonly silenceMs: number
}

/** Handles what an agent says and asks while it works in a session. */
export interface Work {
  update(update: Update): void
  permission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>
}

/** An agent that speaks the Agent Client Protocol on its standard input and output. */
export class AcpAgent {
  readonly #process: AgentProcess
  readonly #connection: ClientConnection
  readonly #working = new Map<string, { readonly work: Work; readonly idle: IdleTimeout }>()
  readonly #open = new Set<string>()
  #abilities: InitializeResponse = { protocolVersion: PROTOCOL_VERSION }

  private constructor(private readonly options: AgentOptions) {
    this.#process = new AgentProcess(options.command, options.env)
    this.#connection = client({ name: 'spaces' })
      .onRequest(methods.client.session.requestPermission, ({ params, signal }) => this.#permission(params, signal))
      .onNotification(methods.client.session.update, updateIn, ({ params: { sessionId, update } }) => {
        const working = this.#working.get(sessionId)
        working?.idle.reset()
        if (update) working?.work.update(update)
      })
      .connect(this.#process.stream)
  }

  /** Starts the program, and agrees with it on the protocol. Neither files nor terminals are offered to it, only to hear its notices. */
  static async start(options: AgentOptions): Promise<AcpAgent> {
    const agent = new AcpAgent(options)
    try {
      agent.#abilities = await agent.#answer(
        agent.#connection.agent.request(methods.agent.initialize, {
          protocolVersion: PROTOCOL_VERSION,
          clientInfo: { name: 'spaces', title: 'Collaboration Spaces', version: __VERSION__ },
          // Else they are part of what the agent says.
          clientCapabilities: { session: { notices: {} } },
        }),
      )
      const { protocolVersion } = agent.#abilities
      if (protocolVersion === PROTOCOL_VERSION) return agent
      throw failed(`The agent speaks version ${protocolVersion} of the Agent Client Protocol, not ${PROTOCOL_VERSION}`)
    } catch (error) {
      await agent.end()
      throw error
    }
  }

  /** Whether it can still be asked. */
  get isAlive(): boolean {
    return !this.#connection.signal.aborted
  }

  /** Whether images may be parts of a prompt. */
  get takesImages(): boolean {
    return this.#abilities.agentCapabilities?.promptCapabilities?.image === true
  }

  /** The session that is wanted, if the agent still has it, or else a new one. */
  async session(wanted: string | undefined): Promise<string> {
    if (wanted !== undefined && (this.#open.has(wanted) || (await this.#reopened(wanted)))) return wanted
    const { cwd } = this.options
    const { sessionId } = await this.#answer(
      this.#connection.agent.request(methods.agent.session.new, { cwd, mcpServers: [] }),
    )
    this.#open.add(sessionId)
    return sessionId
  }

  async #reopened(sessionId: string): Promise<boolean> {
    const { loadSession, sessionCapabilities } = this.#abilities.agentCapabilities ?? {}
    const { resume, load } = methods.agent.session
    const method = sessionCapabilities?.resume ? resume : loadSession ? load : undefined
    if (!method) return false
    try {
      await this.#answer(this.#connection.agent.request(method, { sessionId, cwd: this.options.cwd, mcpServers: [] }))
      this.#open.add(sessionId)
      return true
    } catch (error) {
      if (!this.isAlive) throw error
      return false
    }
  }

  /** Has it work in a session until it says that it is done. When the signal fires, the work is cancelled. */
  async prompt(sessionId: string, prompt: ContentBlock[], work: Work, signal: AbortSignal): Promise<StopReason> {
    const silent = new AbortController()
    const idle = new IdleTimeout(this.options.silenceMs, () => silent.abort())
    const cancelled = AbortSignal.any([signal, silent.signal])
    this.#working.set(sessionId, { work, idle })
    this.#process.stream.renew()
    const answer = this.#connection.agent.request(methods.agent.session.prompt, { sessionId, prompt })
    const unlessCancelled = this.#cancelling(sessionId, cancelled)
    try {
      const { stopReason } = await answer
      if (!cancelled.aborted) return stopReason
    } catch (error) {
      if (!cancelled.aborted) throw await this.#reason(error)
    } finally {
      unlessCancelled()
      idle.end()
      this.#working.delete(sessionId)
    }
    if (signal.aborted) throw new InterruptedError('The work was cancelled')
    throw this.#silent()
  }

  /** Ends the program, and all that it has started. */
  async end(): Promise<void> {
    this.#connection.close(new InterruptedError('The agent is ended'))
    await this.#process.kill()
  }

  /** Cancels the work of a session when the signal fires, and ends an agent that goes on all the same. */
  #cancelling(sessionId: string, signal: AbortSignal): () => void {
    let timer: NodeJS.Timeout | undefined
    const cancel = () => {
      this.#connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {})
      timer = setTimeout(() => this.end(), CANCEL_MS)
    }
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel)
    return () => {
      signal.removeEventListener('abort', cancel)
      clearTimeout(timer)
    }
  }

  async #permission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const working = this.#working.get(request.sessionId)
    if (!working) return { outcome: { outcome: 'cancelled' } }
    return working.idle.during(working.work.permission(request, signal))
  }

  /** Waits for an answer of the agent, which may not take too long for it. */
  async #answer<T>(answer: Promise<T>): Promise<T> {
    let isSilent = false
    const idle = new IdleTimeout(this.options.silenceMs, () => {
      isSilent = true
      this.end()
    })
    try {
      return await answer
    } catch (error) {
      throw isSilent ? this.#silent() : await this.#reason(error)
    } finally {
      idle.end()
    }
  }

  #silent(): AgentFailure {
    const summary = `said nothing for ${this.options.silenceMs / 1_000} seconds`
    return new AgentFailure(summary, this.#withErrors(summary))
  }

  /** Why it did not answer. */
  async #reason(error: unknown): Promise<Error> {
    if (error instanceof RequestError) return this.#refusal(error)
    if (error instanceof InterruptedError) return error
    const { reason } = this.#connection.signal
    const why = reason instanceof Error && reason.name === 'Failure' ? reason.message : null
    // One whose messages have ended is of no use, even if it runs on.
    await this.#process.kill()
    const how = why ?? (await this.#process.ended)
    return new AgentFailure(why ?? 'its program ended', this.#withErrors(how))
  }

  #refusal({ code, message, data }: RequestError): Error {
    if (code === AUTH_REQUIRED) return this.#needsSignIn(message)
    const more = data === undefined ? '' : ` ${cutText(JSON.stringify(data), 500)}`
    return new AgentFailure('it reported an error', `reported an error: ${message}${more}`)
  }

  #needsSignIn(message: string): Error {
    const ways = (this.#abilities.authMethods ?? []).map(({ name }) => name).join(', ')
    const hint = `Sign in with its own program first${ways && `, by one of: ${ways}`}`
    return failed(`The agent is not signed in: ${message}`, hint)
  }

  #withErrors(how: string): string {
    const { lastErrors } = this.#process
    return lastErrors === '' ? how : `${how}. Its last errors:\n${lastErrors}`
  }
}

declare const __VERSION__: string
