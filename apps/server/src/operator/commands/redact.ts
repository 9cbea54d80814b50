import { type Redactable, unknown } from '@collab-spaces/domain'
import { redact } from '@collab-spaces/operator'
import type { Command } from 'commander'
import type { CommandContext } from '../context.js'
import { type ErasureFlags, erasing, requestOf, requireErasure } from '../erasure.js'
import { print } from '../output.js'
import { requireTenantId } from '../tenant.js'
import { BEFORE_FLAG, type BeforeFlags, redactBefore } from './redact-before.js'

/** The texts of each noun that are erased, in the descriptions and the warnings of the commands. */
const TEXTS: Readonly<Record<Exclude<Redactable, 'space'>, string>> = {
  event: 'the text, the references, the metadata, the files and the name of another speaker',
  decision: 'the text, the resolution, the notes, and the names that proposer and resolver gave',
  thread: 'the subject',
  link: 'the URI, the type and the attributes',
  claim: 'the note, the progress and the key',
}

/** Adds `redact` to the commands of what is in a space. */
export function redactCommand(parent: Command, context: CommandContext, noun: keyof typeof TEXTS): void {
  erasing(
    parent
      .command(`redact <tenant-id> <space-id> <${noun}-id>`)
      .description(`Erase ${TEXTS[noun]} of ${article(noun)} for good; who wrote it, and when, stays`),
  ).action(async (tenant: string, spaceId: string, subjectId: string, flags: ErasureFlags) => {
    await redacting(context, { tenant, spaceId, noun, subjectId, texts: TEXTS[noun] }, flags)
  })
}

/** Adds `redact` to the commands of spaces: for what is written about one, or long ago in one. */
export function redactSpaceCommand(space: Command, context: CommandContext): void {
  const texts = 'the title, the description and the links'
  erasing(
    space
      .command('redact <tenant-id> <space-id>')
      .description(`Erase ${texts} of a space for good; or, with --before, its old events`)
      .option(...BEFORE_FLAG),
  ).action(async (tenant: string, spaceId: string, { before, ...flags }: ErasureFlags & Partial<BeforeFlags>) => {
    if (before) return redactBefore(context, { tenant, spaceId, before }, flags)
    await redacting(context, { tenant, spaceId, noun: 'space', subjectId: spaceId, texts }, flags)
  })
}

const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`)

interface Subject {
  /** As the operator gave it. */
  readonly tenant: string
  readonly spaceId: string
  readonly noun: Redactable
  readonly subjectId: string
  readonly texts: string
}

async function redacting(
  context: CommandContext,
  { tenant, spaceId, noun, subjectId, texts }: Subject,
  flags: ErasureFlags,
): Promise<void> {
  const tenantId = await context.withDatabase((database) => requireTenantId(database, tenant))
  requireErasure(flags, `permanently erases ${texts} of ${noun} ${subjectId}`)
  await context.withConnection(async (connection) => {
    const redacted = await redact(connection, { ...requestOf(tenantId, spaceId, flags), noun, subjectId })
    const name = noun[0]?.toUpperCase() + noun.slice(1)
    if (redacted === null) throw unknown(name)
    const value = { tenant_id: tenantId, space_id: spaceId, [`${noun}_id`]: subjectId, redacted_before: !redacted }
    print(context, flags, value, [`${name} ${subjectId} ${redacted ? 'is redacted' : 'was redacted before'}.`])
  })
}
