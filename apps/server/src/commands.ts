import { Command } from 'commander'
import { backupCommand } from './operator/backup.js'
import { checkCommand } from './operator/check.js'
import { actorCommands } from './operator/commands/actor.js'
import { adminCommands } from './operator/commands/admin.js'
import { auditCommands } from './operator/commands/audit.js'
import { claimCommands } from './operator/commands/claim.js'
import { erasureCommands } from './operator/commands/erasure.js'
import { inviteCommands } from './operator/commands/invite.js'
import { logCommands } from './operator/commands/log.js'
import { redactCommand } from './operator/commands/redact.js'
import { serverKeyCommands } from './operator/commands/server-key.js'
import { spaceCommands } from './operator/commands/space.js'
import { tenantCommands } from './operator/commands/tenant.js'
import type { CommandContext } from './operator/context.js'
import { restoreCommand } from './operator/restore.js'

/** The operator's commands. They take effect on every running instance at once. */
export function operatorCommands(context: CommandContext): Command {
  const program = new Command(context.programName)
    .description('Manage the data, tenants and actors of Collaboration Spaces.')
    .version(context.version, '-V, --version', 'print the version')
    .showHelpAfterError('Run with --help for usage.')
  tenantCommands(program.command('tenant').description('Manage tenants'), context)
  actorCommands(program.command('actor').description('Manage humans and agents'), context)
  adminCommands(program.command('admin').description('Manage admins of tenants'), context)
  inviteCommands(program.command('invite').description('Create invites'), context)
  spaceCommands(program.command('space').description('List, redact and delete spaces, and name their owners'), context)
  redactCommand(program.command('event').description('Redact events'), context, 'event')
  redactCommand(program.command('decision').description('Redact decisions'), context, 'decision')
  redactCommand(program.command('thread').description('Redact subjects of threads'), context, 'thread')
  redactCommand(program.command('link').description('Redact links'), context, 'link')
  claimCommands(program.command('claim').description('List and redact work claims'), context)
  erasureCommands(
    program.command('erasure').description('Read what was deleted and redacted, and rewrite the files without it'),
    context,
  )
  serverKeyCommands(program.command('server-key').description('Accept another server key'), context)
  logCommands(program.command('log').description('Restart or adopt the sealed histories'), context)
  auditCommands(program.command('audit').description('Read the security log'), context)
  program.addCommand(backupCommand(context))
  program.addCommand(restoreCommand(context))
  program.addCommand(checkCommand(context))
  addJson(program)
  return program
}

/** Each command can print its result as JSON. */
function addJson({ commands }: Command): void {
  for (const command of commands) {
    if (command.commands.length > 0) addJson(command)
    else command.option('--json', 'print the result as JSON')
  }
}
