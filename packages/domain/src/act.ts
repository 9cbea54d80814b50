import type { ActorRef, ActorType } from './actor.js'
import { type Approvals, type SettledStatus, shownApprovals, type Verdict } from './decision.js'
import { type ActionEdit, type DecisionAction, type DecisionOption, shownAction } from './decision-action.js'
import { type Policy, type SettleRules, shownPolicy, shownRules } from './policy.js'
import { REDACTED_ACTION, REDACTED_EDIT, REDACTED_TEXT, redactedText } from './redaction.js'
import type { Visibility } from './space.js'

/** The subject of acts of a space: the space itself, or its decisions. */
export const ACT_SUBJECTS = ['space', 'decisions'] as const
export type ActSubject = (typeof ACT_SUBJECTS)[number]

/** The authenticated actor of a request, and what it came with. */
export interface ActAuthor extends ActorRef {
  /** `api_key`, or the id of a personal access token; of an admission by a code, that of the invite or agent code. */
  readonly credentialId: string
}

/** A value that was changed. */
interface Change<T> {
  readonly before: T
  readonly after: T
}

/** An act about the space itself. */
export type SpaceActContent =
  | ({ readonly kind: 'policy_changed' } & Change<Policy>)
  /** Ids of actors. */
  | ({ readonly kind: 'owners_changed' } & Change<readonly string[]>)
  | ({ readonly kind: 'visibility_changed' } & Change<Visibility>)
  | { readonly kind: 'participant_added' | 'participant_removed'; readonly participantId: string }

/** An act about a decision, with its effect. */
type DecisionActContent =
  | {
      readonly kind: 'proposed'
      readonly proposedBy: string
      readonly text: string
      readonly assignees: readonly string[]
      readonly supersedes: string | null
      readonly reviewAt: Date | null
      readonly options: readonly DecisionOption[] | null
      readonly action: DecisionAction | null
      readonly expiresAt: Date | null
      /** The rules of the space at that moment. */
      readonly rules: SettleRules
    }
  | { readonly kind: 'reviewed'; readonly verdict: Verdict; readonly note: string | null }
  | {
      readonly kind: 'settled'
      readonly status: SettledStatus
      readonly resolvedBy: string
      readonly resolution: string
      readonly option: string | null
      readonly edit: ActionEdit | null
      /** The rules of the space at that moment, and the approvals that counted then. */
      readonly rules: SettleRules
      readonly approvals: Approvals
    }
  | { readonly kind: 'superseded'; readonly supersededBy: string }
  | {
      readonly kind: 'used'
      /** The digest of the action. */
      readonly digest: string
      /** The rules of the space at that moment, and the approvals that counted then. */
      readonly rules: SettleRules
      readonly approvals: Approvals
    }

type ActContent = SpaceActContent | DecisionActContent
type ActKind = ActContent['kind']

/** An entry of the log of what was done about a space and its decisions. */
export interface Act {
  readonly spaceId: string
  /** Gapless within the space, from 1. */
  readonly position: number
  /** Null for what was done about the space itself. */
  readonly decisionId: string | null
  /** Null for the operator. */
  readonly author: ActAuthor | null
  readonly at: Date
  readonly content: ActContent
}

interface ActJson {
  readonly space_id: string
  readonly position: number
  readonly decision_id: string | null
  readonly kind: ActKind
  readonly actor_id: string | null
  readonly actor_type: ActorType | null
  readonly sponsor_id: string | null
  readonly credential_id: string
  readonly created_at: string
}

/** An act as JSON, which is stored and never changes. */
export function renderAct({ spaceId, position, decisionId, author, at, content }: Act): string {
  const act: ActJson = {
    space_id: spaceId,
    position,
    decision_id: decisionId,
    kind: content.kind,
    actor_id: author?.actorId ?? null,
    actor_type: author?.actorType ?? null,
    sponsor_id: author?.sponsorId ?? null,
    credential_id: author?.credentialId ?? 'operator',
    created_at: at.toISOString(),
  }
  return JSON.stringify({ ...act, ...contentJson(content) })
}

function contentJson(content: ActContent): object {
  switch (content.kind) {
    case 'proposed':
      return {
        proposed_by: content.proposedBy,
        text: content.text,
        assignees: content.assignees,
        supersedes: content.supersedes,
        review_at: content.reviewAt?.toISOString() ?? null,
        rules: shownRules(content.rules),
        ...(content.options && { options: content.options }),
        ...(content.action && { action: shownAction(content.action) }),
        ...(content.expiresAt && { expires_at: content.expiresAt.toISOString() }),
      }
    case 'reviewed':
      return { verdict: content.verdict, note: content.note }
    case 'settled':
      return {
        status: content.status,
        resolved_by: content.resolvedBy,
        resolution: content.resolution,
        rules: shownRules(content.rules),
        approvals: shownApprovals(content.approvals),
        ...(content.option !== null && { option: content.option }),
        ...(content.edit && { edit: content.edit }),
      }
    case 'used':
      return {
        digest: content.digest,
        rules: shownRules(content.rules),
        approvals: shownApprovals(content.approvals),
      }
    case 'superseded':
      return { superseded_by: content.supersededBy }
    case 'policy_changed':
      return { before: shownPolicy(content.before), after: shownPolicy(content.after) }
    case 'owners_changed':
    case 'visibility_changed':
      return { before: content.before, after: content.after }
    case 'participant_added':
    case 'participant_removed':
      return { participant_id: content.participantId }
  }
}

/** The fields of an act that people have written, by the kind of the act. */
const WRITTEN: Readonly<Partial<Record<ActKind, readonly string[]>>> = {
  proposed: ['text', 'proposed_by'],
  reviewed: ['note'],
  settled: ['resolution', 'resolved_by'],
  used: ['digest'],
}

/** The further fields that people have written, which only some acts have, with their replacements. */
const REPLACEMENTS: Readonly<Record<string, unknown>> = {
  options: [],
  action: REDACTED_ACTION,
  option: REDACTED_TEXT,
  edit: REDACTED_EDIT,
}

/** Returns an act's JSON without what people wrote in it: who did what, when and under which rules stays. */
export function redactedAct(json: string): string {
  const act = JSON.parse(json) as ActJson & Record<string, unknown>
  const fields = WRITTEN[act.kind]
  if (fields === undefined) return json
  const erased = fields.map((field) => [field, redactedText((act[field] ?? null) as string | null)])
  const replaced = Object.entries(REPLACEMENTS).filter(([field]) => field in act)
  return JSON.stringify({ ...act, ...Object.fromEntries(erased), ...Object.fromEntries(replaced) })
}
