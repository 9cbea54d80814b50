import { setTimeout as delay } from 'node:timers/promises'
import { type Mail, MailFailure, type MailTransport } from '@collab-spaces/api'
import { createTransport } from 'nodemailer'
import type { Settings } from '../settings.js'

/** How long a server for mail may take to answer, and to take a message in all. */
const ANSWER_MS = 10_000
const MAX_DURATION_MS = 30_000

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
    const tooLate = delay(MAX_DURATION_MS, undefined, { ref: false, signal: overdue.signal }).then(
      () => Promise.reject(new Error(`the server for e-mail took more than ${MAX_DURATION_MS / 1_000} seconds`)),
      () => {},
    )
    try {
      await Promise.race([sent, tooLate])
    } catch (error) {
      throw new MailFailure(detailOf(error), error)
    } finally {
      overdue.abort()
      sent.catch(() => {})
    }
  }
}

/** What the mail server refuses, by the command that it refuses. */
const REFUSED: Readonly<Record<string, string>> = {
  'MAIL FROM': 'the sender, which is the MAIL_FROM of this server',
  'RCPT TO': 'the recipient',
  DATA: 'the message',
}

/** Says what failed. The answers of the mail server are left to the log: they can name hosts and accounts. */
function detailOf(error: unknown): string {
  const { code, command = '', responseCode } = error as SmtpError
  if (code === 'EAUTH') return 'The mail server refused the credentials of this server'
  if (responseCode === undefined) return 'The mail server could not be reached'
  return `The mail server refused ${REFUSED[command] ?? 'the message'} (SMTP ${responseCode})`
}

/** The fields that nodemailer adds to an error. */
interface SmtpError {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
}
