import type { IncomingMessage } from 'node:http'

/** What can be told of who sends a request, for those procedures that ask. */
export interface Sender {
  /** What registrations are counted by; null for this machine itself, whose are not. */
  address(request: IncomingMessage): string | null
  /** Whether a page of another origin sent it. */
  isForeignPage(request: IncomingMessage): boolean
}
