import { type Client, type Inbox, WAIT } from '@collab-spaces/client'

/** Which inbox is read, and which part of it. */
export interface InboxSelection {
  readonly space_id?: string | undefined
  readonly limit?: number | undefined
  readonly installation_id?: string | undefined
}

export const isEmpty = ({ items, notices }: Inbox): boolean => items.length === 0 && notices.length === 0

/** The inbox, as soon as there is something in it, or the agent is stopped. Fails when the signal fires. */
export async function nextInbox(client: Client, selection: InboxSelection, signal: AbortSignal): Promise<Inbox> {
  for (;;) {
    const inbox = await client.inbox.get.query({ ...selection, wait: WAIT.max }, { signal })
    if (!isEmpty(inbox) || inbox.stopped) return inbox
  }
}
