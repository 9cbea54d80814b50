/** The sender of e-mail: the server, which knows its settings and the network. */
export interface Mailer {
  /** Rejects if the server for mail does not take it. */
  send(mail: Mail): Promise<void>
}

export interface Mail {
  /** The id by which somebody who gets the mail twice knows that it is the same. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The URL that ends all further mail by a POST; null for mail that somebody has just asked for. */
  readonly unsubscribe: string | null
}
