import { setTimeout as delay } from 'node:timers/promises'
import type { Mail, MailTransport } from '@collab-spaces/api'
import { createTransport } from 'nodemailer'
import type { Settings } from '../settings.js'

/** How long a server for mail may take to answer, and to take a message in all. */
const ANSWER_MS = 10_000
const MOST_MS = 30_000

type MailSettings = NonNullable<Settings['mail']>

/** Sends e-mail by SMTP, over a connection for each message: there are few. */
export class SmtpMailer implements MailTransport {
  readonly #transport: ReturnType<typeof createTransport>

  constructor(private readonly settings: MailSettings) {
    this.#transport = createTransport({
      url: settings.url,
      connectionTimeout: ANSWER_MS,
      greetingTimeout: ANSWER_MS,
      socketTimeout: ANSWER_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  async send({ id, to, subject, text, unsubscribe }: Mail): Promise<void> {
    const { from } = this.settings
    const overdue = new AbortController()
    const sent = this.#transport.sendMail({
      messageId: `<${id}@${from.replace(/^.*@/, '').replace(/>$/, '')}>`,
      from,
      // As an address and not as text that is parsed: there is one.
      to: { name: '', address: to },
      subject,
      text,
      headers: {
        // RFC 3834: nobody's out-of-office answer is wanted.
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribe !== null && {
          'List-Unsubscribe': `<${unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    })
    const tooLate = delay(MOST_MS, undefined, { ref: false, signal: overdue.signal }).then(
      () => Promise.reject(new Error(`the server for e-mail took more than ${MOST_MS / 1_000} seconds`)),
      () => {},
    )
    try {
      await Promise.race([sent, tooLate])
    } finally {
      overdue.abort()
      sent.catch(() => {})
    }
  }
}
