import type { AuditEntry, Client } from '@collab-spaces/client'
import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { entriesOf } from '../../id/kind.js'
import { wholeNumber } from '../../options/whole-number.js'
import { listOfAuditEntries } from '../../show/audit.js'
import { start } from '../../start.js'

/** The largest page of entries. */
const PAGE = 200
/** How many entries are shown by default. */
const DEFAULT_LIMIT = 50

export const list: Verb = (audit) => {
  audit
    .command('list')
    .description('List who did what to the accounts of your tenant, newest first')
    .option('--limit <n>', `Maximum number of entries (default: ${DEFAULT_LIMIT})`, wholeNumber)
    .option('--before <entry>', 'Entries before this one')
    .action(
      start(async (cli, { limit = DEFAULT_LIMIT, before }) => {
        const client = await cli.client()
        const end = before && (await fullId(cli, entriesOf(client), before))
        const entries = await newestEntries(client, limit, end)
        await cli.out.longResult(entries, listOfAuditEntries)
        await cli.numbers(
          { noun: 'entry' },
          entries.map(({ entry_id }) => entry_id),
        )
      }),
    )
}

async function newestEntries(client: Client, count: number, before: string | undefined): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  while (entries.length < count) {
    const limit = Math.min(count - entries.length, PAGE)
    const page = await client.audit.list.query({ limit, before: entries.at(-1)?.entry_id ?? before })
    entries.push(...page)
    if (page.length < limit) break
  }
  return entries
}
