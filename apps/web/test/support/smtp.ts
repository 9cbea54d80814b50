import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

/** Takes e-mail, and keeps it as text. The settings are for a server that starts afterwards. */
export function useMail() {
  const messages: string[] = []
  const settings: Record<string, string> = {}
  let server: Server
  beforeAll(async () => {
    server = createServer((socket) => {
      let isData = false
      let received = ''
      const answer = (line: string) => socket.write(`${line}\r\n`)
      answer('220 test')
      socket.setEncoding('utf8').on('error', () => {})
      socket.on('data', (chunk: string) => {
        received += chunk
        if (isData) {
          const end = received.indexOf('\r\n.\r\n')
          if (end < 0) return
          messages.push(unquoted(received.slice(0, end)))
          received = received.slice(end + 5)
          isData = false
          answer('250 taken')
        }
        for (let end = received.indexOf('\r\n'); end >= 0 && !isData; end = received.indexOf('\r\n')) {
          const line = received.slice(0, end)
          received = received.slice(end + 2)
          isData = /^DATA$/i.test(line)
          answer(isData ? '354 go on' : /^QUIT$/i.test(line) ? '221 bye' : '250 test')
        }
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (typeof address === 'object' && address) settings.SMTP_URL = `smtp://127.0.0.1:${address.port}`
    settings.MAIL_FROM = 'spaces@example.org'
  })
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { messages, settings }
}

const unquoted = (text: string) => text.replaceAll('=\r\n', '').replaceAll('=3D', '=')
