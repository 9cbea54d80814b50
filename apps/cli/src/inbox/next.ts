import { type Client, type Inbox, type RouterInputs, WAIT } from '@collab-spaces/client'

/** Which inbox is read, and which part of it. */
type Selection = Exclude<RouterInputs['inbox']['get'], void>

/** Whether there is nothing in an inbox that the reader could mark as done. */
export const isEmpty = ({ done }: Inbox): boolean => done.through.length === 0 && done.notices.length === 0

/** The inbox, as soon as there is something in it, or the agent is stopped. Fails when the signal fires. */
export async function nextInbox(client: Client, selection: Selection, signal: AbortSignal): Promise<Inbox> {
  for (;;) {
    const inbox = await client.inbox.get.query({ ...selection, wait: WAIT.max }, { signal })
    if (!isEmpty(inbox) || inbox.stopped) return inbox
  }
}
