import type { ActorRef, ActorType } from './actor.js'
import type { Approvals, SettledStatus, Verdict } from './decision.js'
import { type SettleRules, shownRules } from './policy.js'
import { redactedText } from './redaction.js'

/** What can be done about a decision. */
const ACT_KINDS = ['proposed', 'reviewed', 'settled', 'superseded'] as const
export type ActKind = (typeof ACT_KINDS)[number]

/** The authenticated actor of a request, and what it came with. */
export interface ActAuthor extends ActorRef {
  /** `api_key`, or the id of a personal access token. */
  readonly credentialId: string
}

/** What was done, with all that it made of the decision. */
export type Deed =
  | {
      readonly kind: 'proposed'
      readonly proposedBy: string
      readonly text: string
      readonly assignees: readonly string[]
      readonly supersedes: string | null
      readonly reviewAt: Date | null
    }
  | { readonly kind: 'reviewed'; readonly verdict: Verdict; readonly note: string | null }
  | {
      readonly kind: 'settled'
      readonly status: SettledStatus
      readonly resolvedBy: string
      readonly resolution: string
      /** The rules it was settled under, and the approvals that counted then. */
      readonly rules: SettleRules
      readonly approvals: Approvals
    }
  | { readonly kind: 'superseded'; readonly supersededBy: string }

/** An entry of the log of what was done about the decisions of a space. */
export interface Act {
  readonly spaceId: string
  /** Gapless within the space, from 1. */
  readonly position: number
  readonly decisionId: string
  readonly author: ActAuthor
  readonly at: Date
  readonly deed: Deed
}

interface WireAct {
  readonly space_id: string
  readonly position: number
  readonly decision_id: string
  readonly kind: ActKind
  readonly actor_id: string
  readonly actor_type: ActorType
  readonly sponsor_id: string | null
  readonly credential_id: string
  readonly created_at: string
}

/** An act as JSON, which is stored and never changes. */
export function renderAct({ spaceId, position, decisionId, author, at, deed }: Act): string {
  const act: WireAct = {
    space_id: spaceId,
    position,
    decision_id: decisionId,
    kind: deed.kind,
    actor_id: author.actorId,
    actor_type: author.actorType,
    sponsor_id: author.sponsorId,
    credential_id: author.credentialId,
    created_at: at.toISOString(),
  }
  return JSON.stringify({ ...act, ...wireDeed(deed) })
}

function wireDeed(deed: Deed): object {
  switch (deed.kind) {
    case 'proposed':
      return {
        proposed_by: deed.proposedBy,
        text: deed.text,
        assignees: deed.assignees,
        supersedes: deed.supersedes,
        review_at: deed.reviewAt?.toISOString() ?? null,
      }
    case 'reviewed':
      return { verdict: deed.verdict, note: deed.note }
    case 'settled':
      return {
        status: deed.status,
        resolved_by: deed.resolvedBy,
        resolution: deed.resolution,
        rules: shownRules(deed.rules),
        approvals: { required: deed.approvals.required, given: deed.approvals.given, by: deed.approvals.by },
      }
    case 'superseded':
      return { superseded_by: deed.supersededBy }
  }
}

/** Which fields of an act people have written, by its kind. */
const WRITTEN: Readonly<Partial<Record<ActKind, string>>> = {
  proposed: 'text',
  reviewed: 'note',
  settled: 'resolution',
}

/** An act's JSON without what was said in it: who did what, when and under which rules stays. */
export function redactedAct(wire: string): string {
  const act = JSON.parse(wire) as WireAct & Record<string, unknown>
  const field = WRITTEN[act.kind]
  if (field === undefined) return wire
  return JSON.stringify({ ...act, [field]: redactedText((act[field] ?? null) as string | null) })
}
