import { createHmac } from 'node:crypto'
import { type Database, databaseClock, type RateUse } from '@collab-spaces/db'
import {
  type ActorRef,
  humanOf,
  INSTALLATION,
  mailboxOf,
  RATES,
  RetryLater,
  UNVERIFIED_MAIL,
  type VerifiedAddress,
} from '@collab-spaces/domain'

export interface Mail {
  /** The id by which a recipient who gets the mail twice knows that it is the same. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The URL that ends all further mail by a POST; null for mail that its recipient has just asked for. */
  readonly unsubscribe: string | null
}

/** Mail to an address whose owner has confirmed it. */
export type VerifiedMail = Mail & { readonly to: VerifiedAddress }

/** A message that was not sent. The detail says why to the caller, without a setting; the cause is for the log. */
export class MailFailure extends Error {
  constructor(
    readonly detail: string,
    cause: unknown,
  ) {
    super(detail, { cause })
  }
}

/** The connection to the operator's mail server. Only a `Mailer` sends by it. */
export interface MailTransport {
  /** Rejects with a `MailFailure` if the mail server does not take the mail. */
  send(mail: Mail): Promise<void>
}

export interface MailerOptions {
  readonly transport: MailTransport
  /** The secret that mailboxes are hashed with, the same on all servers. */
  readonly secret: Buffer
  /** Told why a mail that a caller asked for was not sent. */
  onFailure(error: unknown): void
}

/** How soon a caller may try again after the mail server has failed. */
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
   * Counts one mail to an unverified address, and returns the permit to send it. Throws 429 if the mailbox,
   * the human who asks for it, or the installation has had its share.
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

  /** Throws 503 if the mail server does not take the mail. */
  async send(mail: Pick<Mail, 'id' | 'subject' | 'text'>): Promise<void> {
    try {
      await this.options.transport.send({ ...mail, to: this.to, unsubscribe: null })
    } catch (error) {
      this.options.onFailure(error)
      const why = error instanceof MailFailure ? error.detail : 'The mail server did not take the message'
      throw new RetryLater('unavailable', `${why}; try again later`, RETRY_AFTER_S)
    }
    this.#isUsed = true
  }

  /** Takes the count back unless the mail was sent. */
  async end(): Promise<void> {
    if (!this.#isUsed) await this.giveBack()
  }
}
