import type { Event } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { notSignedIn } from '../failure.js'
import { styled } from '../terminal/styled.js'
import { lastEvents } from './history.js'
import { isSelected, type Selection, type Sources, selected } from './selection.js'

/**
 * Shows the selected events, first the existing and then the new ones, each once and in order, until the signal fires.
 * Survives broken connections.
 */
export async function follow(
  cli: Cli,
  sources: Sources,
  selection: Selection,
  show: (event: Event) => Promise<void>,
): Promise<void> {
  const { events, cursor } = await begin(sources, selection)
  const { client, signal } = sources
  for (const event of events) await show(event)
  const seen = new Set(events.map(({ event_id }) => event_id))
  const stream = client.stream(selection.space_id, { since: cursor, signal, ...notes(cli) })
  for await (const event of stream) {
    if (!seen.delete(event.event_id) && isSelected(selection, event)) await show(event)
  }
  if (stream.endedBy === 'credential') {
    throw notSignedIn(stream.refusal?.detail ?? 'Your token was revoked', 'Sign in again: spaces login')
  }
}

/** The existing events, and the cursor to continue after. An event between the two requests is in both, not missed. */
async function begin(sources: Sources, selection: Selection) {
  if (selection.since !== undefined && selection.tail === undefined) return { events: [], cursor: selection.since }
  const [newest] = await lastEvents(sources.client, selection.space_id, 1, sources)
  const { events } = await selected(sources, selection)
  return { events, cursor: newest?.event_id }
}

/** Tells the person when the connection is lost, and when it is back. */
function notes(cli: Cli) {
  let isLost = false
  return {
    onReconnect: (error: Error | null) => {
      if (!isLost) cli.out.note(cli.out.style.dim(styled`Connection lost: ${error?.message ?? 'closed by the server'}`))
      isLost = true
    },
    onConnect: () => {
      if (isLost) cli.out.note(cli.out.style.dim('Reconnected'))
      isLost = false
    },
  }
}
