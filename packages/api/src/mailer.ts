import { createHmac } from 'node:crypto'
import { type Database, databaseClock, type RateUse } from '@collab-spaces/db'
import {
  type ActorRef,
  humanOf,
  INSTALLATION,
  mailboxOf,
  RATES,
  RetryLater,
  SIGN_IN_MAILS,
  UNVERIFIED_MAIL,
  type VerifiedAddress,
} from '@collab-spaces/domain'

export interface Mail {
  /** The ID by which a mail program recognizes a duplicate. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The URL that unsubscribes by a POST; null for mail that its recipient has just requested. */
  readonly unsubscribe: string | null
}

/** Mail to an address whose owner has confirmed it. */
export type VerifiedMail = Mail & { readonly to: VerifiedAddress }

/** A failed delivery. The detail is for the caller and names no setting; the cause is for the log. */
export class MailFailure extends Error {
  constructor(
    readonly detail: string,
    cause: unknown,
    /** Whether the mail server refused this mail for good, rather than all mail of this server. */
    readonly isFinal = false,
  ) {
    super(detail, { cause })
  }
}

/** The connection to the operator's mail server. Only a `Mailer` uses it. */
export interface MailTransport {
  /** Rejects with a `MailFailure` if the mail server does not accept the mail. */
  send(mail: Mail): Promise<void>
}

export interface MailerOptions {
  readonly transport: MailTransport
  /** The secret of the mailbox hashes, the same on all instances. */
  readonly secret: Buffer
  /** Called when a mail that a caller requested was not sent. */
  onFailure(error: unknown): void
}

/** `Retry-After` for a caller after a failure of the mail server. */
const RETRY_AFTER_S = 60

/** The only sender of mail. Mail to an unverified address needs a permit. */
export class Mailer {
  constructor(
    private readonly options: MailerOptions,
    private readonly counts: Database['rateCounts'],
  ) {}

  send(mail: VerifiedMail): Promise<void> {
    return this.options.transport.send(mail)
  }

  /**
   * Counts one request for a sign-in link, whether or not an account has the address. 429 beyond the rate of the mailbox,
   * or of the network address that it comes from; null for the server's machine.
   */
  async countSignIn(to: string, from: string | null): Promise<void> {
    const uses: RateUse[] = [{ rate: RATES.signInMailsTo, subject: this.#hashOf(to), limit: SIGN_IN_MAILS.toMailbox }]
    if (from !== null) uses.push({ rate: RATES.signInMails, subject: from, limit: SIGN_IN_MAILS.fromAddress })
    await this.counts.take(uses, databaseClock.now())
  }

  /** Runs work that sends a mail which no caller waits for. Failures go to the log. */
  async unattended(work: () => Promise<void>): Promise<void> {
    await work().catch(this.options.onFailure)
  }

  /**
   * Counts one mail to an unverified address, and returns the permit to send it. 429 beyond the rate of the mailbox, of the
   * requesting human, or of the installation.
   */
  async permit(caller: Pick<ActorRef, 'actorId' | 'sponsorId'>, to: string): Promise<MailPermit> {
    const now = databaseClock.now()
    const uses: readonly RateUse[] = [
      { rate: RATES.unverifiedMailTo, subject: this.#hashOf(to), limit: UNVERIFIED_MAIL.toMailbox },
      { rate: RATES.unverifiedMailBy, subject: humanOf(caller), limit: UNVERIFIED_MAIL.byHuman },
      { rate: RATES.unverifiedMail, subject: INSTALLATION, limit: UNVERIFIED_MAIL.inAll },
    ]
    await this.counts.take(uses, now)
    return new MailPermit(to, this.options, () => this.counts.giveBack(uses, now))
  }

  #hashOf(address: string): string {
    return createHmac('sha256', this.options.secret).update(mailboxOf(address)).digest('base64url')
  }
}

/** The right to send one mail to an unverified address. */
export class MailPermit {
  #isUsed = false

  constructor(
    private readonly to: string,
    private readonly options: Pick<MailerOptions, 'transport' | 'onFailure'>,
    private readonly giveBack: () => Promise<void>,
  ) {}

  /** Sends the mail. 503 if the mail server does not accept it. */
  async send(mail: Pick<Mail, 'id' | 'subject' | 'text'>): Promise<void> {
    try {
      await this.options.transport.send({ ...mail, to: this.to, unsubscribe: null })
    } catch (error) {
      this.options.onFailure(error)
      const why = error instanceof MailFailure ? error.detail : 'The mail server did not accept the message'
      throw new RetryLater('unavailable', `${why}; try again later`, RETRY_AFTER_S)
    }
    this.#isUsed = true
  }

  /** Reverts the count unless the mail was sent. */
  async end(): Promise<void> {
    if (!this.#isUsed) await this.giveBack()
  }
}
