import type { Verb } from '../../command.js'
import { wholeNumber } from '../../options/whole-number.js'
import { printing } from '../../proof/stream.js'
import { startUntilInterrupted } from '../../start.js'

export const exportAudit: Verb = (audit) => {
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
