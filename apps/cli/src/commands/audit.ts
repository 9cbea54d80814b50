import { type AuditEntry, PAGES } from '@collab-spaces/client'
import { nounWith, type Verb } from '../command.js'
import { firstOf } from '../event/history.js'
import { fullId } from '../id/full-id.js'
import { entriesOf } from '../id/kind.js'
import { MOMENTS, past } from '../options/moment.js'
import { wholeNumber } from '../options/parsers.js'
import { printing } from '../proof/stream.js'
import { listOfAuditEntries } from '../show/audit.js'
import { startUntilInterrupted, withClient } from '../start.js'

const { max: PAGE, default: DEFAULT_LIMIT } = PAGES.audit

export const list: Verb = (audit) => {
  audit
    .command('list')
    .description('List who did what to the accounts of your tenant, newest first')
    .option('--limit <n>', `Maximum number of entries (default: ${DEFAULT_LIMIT})`, wholeNumber)
    .option('--before <entry>', 'Entries before this one')
    .option('--action <action>', 'Only this, such as token.created')
    .option('--actor <id>', 'Only what this actor did')
    .option('--subject <id>', 'Only what was done to this actor, token, space or whatever else')
    .option('--since <time>', `Only from this time on: ${MOMENTS}`, past)
    .option('--until <time>', `Only up to this time: ${MOMENTS}`, past)
    .action(
      withClient(async (client, cli, { limit = DEFAULT_LIMIT, before, action, actor, subject, since, until }) => {
        const end = before && (await fullId(cli, entriesOf(client), before))
        const filter = { action: action as AuditEntry['action'], actor_id: actor, subject_id: subject, since, until }
        const entries = await firstOf<AuditEntry>(limit, PAGE, (limit, last) =>
          client.audit.list.query({ ...filter, limit, before: last?.entry_id ?? end }),
        )
        await cli.out.longResult(entries, listOfAuditEntries)
        await cli.numbers({ noun: 'entry' }, entries, ({ entry_id }) => entry_id)
      }),
    )
}

const exportAudit: Verb = (audit) => {
  audit
    .command('export')
    .description('Print the security log of your tenant as a file that proves itself')
    .option('--after <position>', 'Only what comes after this position, to follow it', wholeNumber)
    .addHelpText('after', '\nCheck it with: spaces log verify FILE --key KEY')
    .action(
      startUntilInterrupted(async (cli, signal, { after }) => {
        const client = await cli.client()
        await client.rest('audit.export', { after }, { read: printing(cli.out, signal), signal })
      }),
    )
}

export const define = nounWith(list, exportAudit)
