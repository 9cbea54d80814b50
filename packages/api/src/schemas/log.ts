import { SPACE_TREES } from '@collab-spaces/db'
import { z } from 'zod'
import { id, integer, moment, oneOf, optional, optionalInteger } from './field.js'

/** As many as a client can ask about. */
const SIZES = { min: 0, max: 999_999_999 }

const space_id = id('The space')

const tree = optional(oneOf(SPACE_TREES)).meta({
  description: 'The history: of events, which is the default, or of what was done about decisions and the space itself',
})

const hash = z.string().meta({ description: 'SHA-256 in base64' })

export const Checkpoint = z
  .object({
    origin: z.string().meta({ description: 'The name of the log: of its tenant, space, tree and epoch' }),
    epoch: z.int().meta({ description: 'How often the operator has begun the log anew, from 1' }),
    size: z.int().meta({ description: 'How many entries are sealed: those up to this position' }),
    root: hash,
    checkpoint: z.string().meta({ description: 'All of the above, as a signed note (C2SP tlog-checkpoint)' }),
    key: z.string().meta({ description: 'The public key, in the form of signed notes; also at `/log/keys`' }),
    sealed_at: moment().nullable(),
  })
  .meta({ id: 'Checkpoint' })

const Redacted = z
  .object({
    leaf_hash: hash.meta({ description: 'The hash of the entry as it was' }),
    erasure_id: z.string().meta({ description: "The operator's record" }),
    erased_at: moment(),
  })
  .meta({ id: 'RedactedEntry' })

const ProvenEntry = z
  .object({
    position: z.int(),
    line: z.string().meta({ description: 'The sealed text that the hash is of: JSON of the entry and its nonce' }),
    redacted: Redacted.nullable().meta({ description: 'If its content was erased' }),
    proof: z.array(hash).meta({ description: 'The inclusion proof of RFC 6962' }),
  })
  .meta({ id: 'ProvenEntry' })

export const Receipt = z
  .object({
    format: z.literal('collaboration-spaces-receipt'),
    version: z.literal(1),
    subject: z.enum(['event', 'decision', 'audit_entry']),
    subject_id: z.string(),
    entries: z.array(ProvenEntry),
    checkpoint: z.string().meta({ description: 'The signed note that the proofs lead to' }),
    key: z.string(),
    seal: z.string().meta({ description: 'A signature over all of the above' }),
  })
  .meta({ id: 'LogReceipt' })

export const Consistency = z
  .object({ from: z.int(), to: z.int(), proof: z.array(hash) })
  .meta({ id: 'ConsistencyProof' })

const size = (description: string) => optionalInteger(SIZES).meta({ description })

const sizes = {
  from: integer({ ...SIZES, default: 0 }).meta({ description: 'The size of the earlier checkpoint' }),
  to: size('The size of the later one; by default the newest'),
}

const after = integer({ ...SIZES, default: 0 }).meta({ description: 'Only the entries after this position' })

export const GetCheckpoint = z.object({ space_id, tree })

export const GetProof = z.object({
  space_id,
  event_id: optional(id('The event to prove')),
  decision_id: optional(id('The decision to prove: all that was done about it')),
})

export const GetConsistency = z.object({ space_id, tree, ...sizes })

export const ExportLog = z.object({ space_id, tree, after })

export const GetAuditProof = z.object({ entry_id: id('The entry of the security log to prove') })

export const GetAuditConsistency = z.object(sizes)

export const ExportAudit = z.object({ after })
