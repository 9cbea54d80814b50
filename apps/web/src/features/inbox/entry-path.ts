import type { Notice } from '@collab-spaces/client'
import { decisionPath, eventPath, HOME, spacePath, TENANT, webhookPath } from '../../shared/navigation/paths'
import type { Entry } from './groups'

/** Returns the path of the page on which an entry can be handled. */
export function entryPath(entry: Entry): string {
  if (entry.kind === 'item') return eventPath(entry.spaceId, entry.key)
  return entry.kind === 'decision' ? decisionPath(entry.spaceId, entry.key) : noticePath(entry.notice)
}

function noticePath({ kind, space_id, details }: Notice): string {
  if (kind === 'agents_waiting') return TENANT
  const { decision_id, webhook_id } = details
  if (typeof webhook_id === 'string') return webhookPath(webhook_id)
  if (space_id === null) return HOME
  return typeof decision_id === 'string' ? decisionPath(space_id, decision_id) : spacePath(space_id)
}
