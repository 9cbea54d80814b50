import { setTimeout as delay } from 'node:timers/promises'
import { type Mail, MailFailure, type MailTransport } from '@collab-spaces/api'
import { createTransport } from 'nodemailer'
import type { Settings } from '../settings.js'

/** Timeouts of the mail server: for a reply, and for a whole message. */
const ANSWER_MS = 10_000
const MAX_DURATION_MS = 30_000

type MailSettings = NonNullable<Settings['mail']>

/** Sends e-mail by SMTP, over a connection per message, as there are few. */
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
      // As one address, not as text that is parsed.
      to: { name: '', address: to },
      subject,
      text,
      headers: {
        // RFC 3834: suppresses automatic replies.
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
      throw new MailFailure(detailOf(error), error, isFinal(error))
    } finally {
      overdue.abort()
      sent.catch(() => {})
    }
  }
}

/** What the mail server refused, by SMTP command. */
const REFUSED: Readonly<Record<string, string>> = {
  'MAIL FROM': 'the sender, which is the MAIL_FROM of this server',
  'RCPT TO': 'the recipient',
  DATA: 'the message',
}

/** Returns what failed. The mail server's replies go only to the log, as they can name hosts and accounts. */
function detailOf(error: unknown): string {
  const { code, command = '', responseCode } = error as SmtpError
  if (code === 'EAUTH') return 'The mail server refused the credentials of this server'
  if (responseCode === undefined) return 'The mail server could not be reached'
  return `The mail server refused ${REFUSED[command] ?? 'the message'} (SMTP ${responseCode})`
}

const isFinal = (error: unknown): boolean => {
  const { command = '', responseCode = 0 } = error as SmtpError
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
}

/** The fields that nodemailer adds to an error. */
interface SmtpError {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
}
