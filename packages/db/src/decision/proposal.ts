import {
  type ActAuthor,
  type DecisionStatus,
  type HeldClaim,
  requireExpiryAhead,
  requireNotSuperseded,
  shownAction,
  shownRules,
  unknown,
  writeError,
} from '@collab-spaces/domain'
import { requireMembers } from '../access/lock.js'
import { lockWriter, type Writer } from '../access/writer.js'
import { nextAct, recordActs } from '../act/act.js'
import { Prisma, type PrismaClient } from '../generated/client.js'
import type { Idempotency } from '../log/append.js'
import { lockSpace } from '../space/lock.js'
import { settleRulesOf } from '../space/policy.js'
import type { SpaceRecord } from '../space/record.js'
import { requireWorkClaim } from '../work-claim/work-claim.js'
import { lockPredecessor } from './lock.js'
import { recipientsOfProposal, tell } from './notice.js'
import { asProposed, type DecisionRecord, type ProposalRow } from './record.js'

/** The author of an act about a decision, with its tenant and credential. */
export type DecisionWriter = Writer & ActAuthor

export interface Proposal
  extends Pick<
    DecisionRecord,
    'decisionId' | 'proposedBy' | 'text' | 'assignees' | 'supersedes' | 'reviewAt' | 'options' | 'action' | 'expiresAt'
  > {
  readonly idempotency: Idempotency | null
  readonly claim: HeldClaim | undefined
}

/** A decision after an act, and the actors whose inboxes have it anew. */
export interface NotifyingDecision extends DecisionRecord {
  readonly notified: readonly string[]
}

/** Writes the row, its act and the notices in one transaction. See `DecisionStore.propose`. */
export async function propose(
  prisma: PrismaClient,
  author: DecisionWriter,
  spaceId: string,
  { idempotency, claim, ...proposal }: Proposal,
  allow: (space: SpaceRecord) => void,
): Promise<NotifyingDecision> {
  const { tenantId } = author
  return prisma.$transaction(async (tx) => {
    await lockWriter(tx, author)
    const space = await lockSpace(tx, author, spaceId)
    if (!space) throw unknown('Space')
    const within = { tenantId, spaceId }
    const rules = await settleRulesOf(tx, tenantId, spaceId)
    if (idempotency) {
      // The space is locked, so no concurrent request can use the key.
      const earlier = await tx.decision.findFirst({
        where: { ...within, postedBy: author.actorId, idempotencyKey: idempotency.key },
      })
      if (earlier) {
        const { requestHash } = earlier
        if (requestHash !== null && !idempotency.requestHash.equals(requestHash))
          throw writeError('reused_idempotency_key')
        return { ...asProposed(earlier), notified: [] }
      }
    }
    const next = await nextAct(tx, tenantId, spaceId)
    const createdAt = next.at
    requireExpiryAhead(proposal.expiresAt, createdAt)
    const { options, action } = proposal
    await requireMembers(tx, tenantId, [...proposal.assignees, ...(action?.usedBy ?? [])])
    const predecessor = proposal.supersedes && (await lockPredecessor(tx, tenantId, spaceId, proposal.supersedes))
    allow(space)
    await requireWorkClaim(tx, author, spaceId, claim)
    if (predecessor) requireNotSuperseded(predecessor)
    const row = {
      ...proposal,
      spaceId,
      options: options?.map((option) => ({ ...option })) ?? null,
      action: action && JSON.stringify(shownAction(action)),
      createdAt,
      assignees: [...proposal.assignees],
      postedBy: author.actorId,
      rulesAtProposal: shownRules(rules),
    } satisfies ProposalRow
    await tx.decision.create({
      data: {
        ...row,
        tenantId,
        options: row.options ?? Prisma.DbNull,
        digest: action?.digest ?? null,
        status: 'proposed' satisfies DecisionStatus,
        idempotencyKey: idempotency?.key ?? null,
        requestHash: idempotency && new Uint8Array(idempotency.requestHash),
      },
      select: { decisionId: true },
    })
    const { decisionId } = proposal
    const content = { kind: 'proposed', ...proposal, rules } as const
    await recordActs(tx, tenantId, spaceId, next, [{ decisionId, author, content }])
    const isAssigned = proposal.assignees.length > 0
    const notified = isAssigned
      ? proposal.assignees.filter((actorId) => actorId !== author.actorId)
      : await recipientsOfProposal(tx, within, author, rules)
    const key = { tenantId, spaceId, decisionId, postedBy: author.actorId }
    await tell(tx, key, isAssigned ? 'decision_assigned' : 'decision_proposed', notified)
    return { ...asProposed(row), notified }
  })
}
