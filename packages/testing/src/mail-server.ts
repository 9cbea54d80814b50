import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { freePorts } from './port.js'

/** A received message. */
export interface MailReceived {
  readonly to: string
  /** The id that identifies a repeated message. */
  readonly id: string
  /** The headers and the decoded body. */
  readonly text: string
}

/** A mail server that stores received messages. */
export class MailServer {
  readonly messages: MailReceived[] = []
  /** Called for each accepted message, before its sender gets the confirmation. */
  onTaken: () => void | Promise<void> = () => {}
  readonly #server = createServer((socket) => this.#serve(socket))

  async open(port = 0): Promise<void> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  /** Lets the process end while the server listens. */
  unref(): void {
    this.#server.unref()
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    await closed
  }

  /** The settings of a server that is started afterwards. */
  get settings() {
    const { port } = this.#server.address() as AddressInfo
    return { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'spaces@example.org' }
  }

  #serve(socket: Socket): void {
    let isData = false
    let received = ''
    const answer = (line: string) => socket.writable && socket.write(`${line}\r\n`)
    answer('220 test')
    socket.setEncoding('utf8').on('error', () => {})
    socket.on('data', async (chunk: string) => {
      received += chunk
      if (isData) {
        const end = received.indexOf('\r\n.\r\n')
        if (end < 0) return
        this.messages.push(messageIn(received.slice(0, end)))
        received = received.slice(end + 5)
        isData = false
        await this.onTaken()
        answer('250 taken')
      }
      for (let end = received.indexOf('\r\n'); end >= 0 && !isData; end = received.indexOf('\r\n')) {
        const line = received.slice(0, end)
        received = received.slice(end + 2)
        isData = /^DATA$/i.test(line)
        answer(isData ? '354 go on' : /^QUIT$/i.test(line) ? '221 bye' : '250 test')
      }
    })
  }
}

function messageIn(raw: string): MailReceived {
  const header = (name: string) => new RegExp(`^${name}: <?(.+?)>?\\r?$`, 'im').exec(raw)?.[1] ?? ''
  return { to: header('To'), id: header('Message-ID'), text: raw.replaceAll('=\r\n', '').replaceAll('=3D', '=') }
}

const SHARED_PORT = await freePorts(1)

/** The settings of a server that sends to the shared mail server. */
export const SHARED_MAIL_SETTINGS = { SMTP_URL: `smtp://127.0.0.1:${SHARED_PORT}`, MAIL_FROM: 'spaces@example.org' }

let shared: Promise<MailServer> | null = null

/** Returns the default mail server of all servers in this process, which outlives every test. */
export function sharedMail(): Promise<MailServer> {
  shared ??= (async () => {
    const server = new MailServer()
    await server.open(SHARED_PORT)
    server.unref()
    return server
  })()
  return shared
}
