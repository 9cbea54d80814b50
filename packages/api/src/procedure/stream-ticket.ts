import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Stream tickets: `svc_ticket_` and, in base64url, the expiry (seconds since 1970, 4 bytes), the SHA-256 of the requesting
 * credential (32), the first half of an HMAC-SHA-256 (16), and the ID of the space; for a file, `/` and its ID follow.
 */
const PREFIX = 'svc_ticket_'
const HASH_AT = 4
const MAC_AT = 36
const SPACE_AT = 52

/** How long a ticket opens streams. Open streams continue. */
const VALID_MS = 60_000

/** What a ticket opens: the stream of a space, or the bytes of one of its files. */
export interface TicketSubject {
  readonly spaceId: string
  readonly fileId?: string | undefined
}

/** A parsed ticket, with the rights of a credential. */
export interface StreamTicket extends TicketSubject {
  readonly credentialHash: Buffer
  readonly expiresAt: Date
}

/** Whether a presented credential has the form of a ticket. */
export const isStreamTicket = (token: string | undefined): boolean => token?.startsWith(PREFIX) ?? false

/**
 * Issues and reads tickets. Nothing is stored: any instance can verify the MAC of a ticket, and a ticket opens nothing once
 * its credential has ended.
 */
export class StreamTickets {
  constructor(
    /** The secret is the same on all instances. */
    private readonly secret: Buffer,
  ) {}

  issue(
    credentialHash: Buffer,
    { spaceId, fileId }: TicketSubject,
    now: Date,
  ): { readonly ticket: string; readonly expiresAt: Date } {
    const seconds = Math.ceil((now.getTime() + VALID_MS) / 1_000)
    const end = Buffer.alloc(HASH_AT)
    end.writeUInt32BE(seconds)
    const space = Buffer.from(fileId === undefined ? spaceId : `${spaceId}/${fileId}`)
    const bytes = Buffer.concat([end, credentialHash, this.#codeOf(end, credentialHash, space), space])
    return { ticket: PREFIX + bytes.toString('base64url'), expiresAt: new Date(seconds * 1_000) }
  }

  /** Parses a ticket, expired or not. Null for one that this installation did not issue. */
  read(ticket: string): StreamTicket | null {
    const text = ticket.slice(PREFIX.length)
    const bytes = Buffer.from(text, 'base64url')
    // Node ignores characters outside base64url.
    if (bytes.length <= SPACE_AT || bytes.toString('base64url') !== text) return null
    const [end, credentialHash] = [bytes.subarray(0, HASH_AT), bytes.subarray(HASH_AT, MAC_AT)]
    const space = bytes.subarray(SPACE_AT)
    if (!timingSafeEqual(bytes.subarray(MAC_AT, SPACE_AT), this.#codeOf(end, credentialHash, space))) return null
    // Neither id has a slash.
    const [spaceId = '', fileId] = space.toString().split('/')
    return { credentialHash, spaceId, fileId, expiresAt: new Date(end.readUInt32BE() * 1_000) }
  }

  #codeOf(...parts: readonly Buffer[]): Buffer {
    const hmac = createHmac('sha256', this.secret)
    for (const part of parts) hmac.update(part)
    return hmac.digest().subarray(0, SPACE_AT - MAC_AT)
  }
}
