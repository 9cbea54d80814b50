import type { AddressInfo, Server } from 'node:net'
import { eventually } from '@collab-spaces/testing'
import { SMTPServer } from 'smtp-server'

/** A received message, with the headers that tests read. */
export interface ReceivedMail {
  readonly to: string
  readonly id: string
  readonly subject: string
  readonly headers: string
  readonly text: string
}

/** A real SMTP server that keeps received messages. */
export class Mailbox {
  readonly received: ReceivedMail[] = []
  /** Called before a message is accepted; an error refuses the message. */
  onMessage: (message: ReceivedMail) => void | Promise<void> = () => {}
  /** Called with each address of a sender or a recipient; an error refuses the address. */
  onAddress: (command: 'MAIL FROM' | 'RCPT TO') => void = () => {}
  #port = 0
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onMailFrom: (_address, _session, callback) => this.#check('MAIL FROM', callback),
    onRcptTo: (_address, _session, callback) => this.#check('RCPT TO', callback),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const message = parsed(Buffer.concat(chunks).toString(), session.envelope.rcptTo[0]?.address ?? '')
        try {
          await this.onMessage(message)
        } catch (error) {
          return callback(error as Error)
        }
        this.received.push(message)
        callback()
      })
    },
  })

  #check(command: 'MAIL FROM' | 'RCPT TO', callback: (error?: Error) => void): void {
    try {
      this.onAddress(command)
      callback()
    } catch (error) {
      callback(error as Error)
    }
  }

  async open(): Promise<void> {
    const server: Server = this.#server.listen(0, '127.0.0.1')
    await eventually(() => server.listening)
    this.#port = (server.address() as AddressInfo).port
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve))
  }

  get settings() {
    return { SMTP_URL: `smtp://127.0.0.1:${this.#port}`, MAIL_FROM: 'spaces@example.org' }
  }

  to(address: string): ReceivedMail[] {
    return this.received.filter((message) => message.to === address)
  }
}

function parsed(raw: string, to: string): ReceivedMail {
  const end = raw.indexOf('\r\n\r\n')
  const headers = raw.slice(0, end).replace(/\r\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1]?.trim() ?? ''
  const body = raw.slice(end + 4).replaceAll('\r\n', '\n')
  const text = header('Content-Transfer-Encoding') === 'quoted-printable' ? unquoted(body) : body
  return { to, id: header('Message-ID'), subject: header('Subject'), headers, text }
}

const unquoted = (text: string) =>
  Buffer.from(
    text.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
