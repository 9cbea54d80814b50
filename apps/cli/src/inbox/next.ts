import { type Client, type Inbox, type RouterInputs, SpacesError, WAIT } from '@collab-spaces/client'

/** Which inbox is read, and which part of it. */
type Selection = Exclude<RouterInputs['inbox']['get'], void>

/** Whether there is nothing in an inbox that the reader could mark as done. */
export const isEmpty = ({ done }: Inbox): boolean => done.through.length === 0 && done.notices.length === 0

/** Whether the next inbox can be worked on after an error: it has the rest after a stop, or the loss of a claim or space. */
export const mayGoOn = (error: unknown): error is SpacesError =>
  error instanceof SpacesError &&
  (error.mayPass || error.status === 404 || ['agent_stopped', 'claim_lost'].includes(String(error.fields.error)))

/** The inbox, as soon as there is something in it, or the agent is stopped. Fails when the signal fires. */
export async function nextInbox(client: Client, selection: Selection, signal: AbortSignal): Promise<Inbox> {
  for (;;) {
    const inbox = await client.inbox.get.query({ ...selection, wait: WAIT.max }, { signal })
    if (!isEmpty(inbox) || inbox.stopped) return inbox
  }
}
