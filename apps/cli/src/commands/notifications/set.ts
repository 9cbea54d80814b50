import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { requireChange } from '../../failure.js'
import { wholeNumber } from '../../options/parsers.js'
import { NOTICE_LEVELS, notificationsView } from '../../show/notifications.js'
import { withClient } from '../../start.js'

export const set: Verb = (notifications) => {
  notifications
    .command('set')
    .description('Change where, when and of what you are told')
    .option('--email <address>', 'Where to send e-mail, once you have followed the link that comes first')
    .option('--no-email', 'Send no e-mail')
    .addOption(new Option('--level <level>', 'What to tell of spaces where nothing else is set').choices(NOTICE_LEVELS))
    .option('--delay <minutes>', 'How long something waits unseen before it is sent by e-mail', wholeNumber)
    .option('--push-delay <minutes>', 'The same for browsers; 0, the default, is at once', wholeNumber)
    .option('--quiet <hours>', 'When to send nothing, every day, such as 22:00-07:00', quietHours)
    .option('--no-quiet', 'Send at any time')
    .option('--zone <name>', 'Time zone of the quiet hours (default: that of this machine)')
    .option('--presence', 'Show in your spaces and conversations when you use the page; the default')
    .option('--no-presence', 'Do not show it')
    .addHelpText(
      'after',
      `
--level takes:
  mentions  what mentions or answers you or is in a conversation, and notices such as a decision that waits for you
  all       threads that you take part in, too
  none      only notices of what is in no space, such as a revoked credential

Setting an address again that is not confirmed sends its link again.

Examples:
  $ spaces notifications set --email ada@example.org --delay 30
  $ spaces notifications set --quiet 22:00-07:00 --zone Europe/Berlin
  $ spaces notifications set --no-email`,
    )
    .action(
      withClient(
        async (
          client,
          cli,
          { email, level: notices, delay: delay_minutes, pushDelay: push_delay_minutes, quiet, zone, presence },
        ) => {
          const change = {
            email: email === false ? null : email,
            notices,
            delay_minutes,
            push_delay_minutes,
            quiet_hours: quiet === false ? null : quiet,
            time_zone: zone ?? (quiet ? zoneHere() : undefined),
            shows_presence: presence,
          }
          requireChange(change, '--email, --level, --delay, --push-delay, --quiet or --presence')
          cli.out.result(await client.notification.set.mutate(change), notificationsView)
        },
      ),
    )
}

const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone

function quietHours(given: string) {
  const [, from, until] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(given) ?? []
  if (from === undefined || until === undefined) throw new InvalidArgumentError('It must be hours such as 22:00-07:00.')
  return { from, until }
}
