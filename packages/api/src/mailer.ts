/** The sender of e-mail: the server, which knows its settings and the network. */
export interface Mailer {
  /** Rejects if the server for mail does not take it. */
  send(mail: Mail): Promise<void>
}

export interface Mail {
  /** By which whoever gets it twice knows that it is the same. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Where a POST ends all further mail; null for what somebody has just asked for. */
  readonly unsubscribe: string | null
}
