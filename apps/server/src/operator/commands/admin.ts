import { requireHuman, unknown } from '@collab-spaces/domain'
import type { Command } from 'commander'
import { type CommandContext, JSON_FLAG, type OutputFlags } from '../context.js'
import { nameOfScope, print } from '../output.js'
import { presentForOperator } from '../present.js'

export function adminCommands(admin: Command, context: CommandContext): void {
  const setAdmin = (isAdmin: boolean, done: string) => (actorId: string, flags: OutputFlags) =>
    context.withDatabase(async ({ actors }) => {
      const actor = await actors.change(actorId, null, (actor) => {
        requireHuman(actor)
        return { isAdmin }
      })
      if (!actor) throw unknown('Actor')
      const line = `${actor.displayName} (${actorId}) is ${done} of ${nameOfScope(actor.scope)}.`
      print(context, flags, presentForOperator(actor), [line])
    })

  admin
    .command('grant <actor-id>')
    .description('Make a human an admin of their tenant')
    .option(...JSON_FLAG)
    .action(setAdmin(true, 'an admin'))
  admin
    .command('withdraw <actor-id>')
    .description('Make an admin an ordinary member')
    .option(...JSON_FLAG)
    .action(setAdmin(false, 'no longer an admin'))
}
