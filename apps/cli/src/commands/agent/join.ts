import { dirname } from 'node:path'
import { installationIn } from '../../account/installation.js'
import { type Profile, requireFree } from '../../account/profiles.js'
import type { Cli } from '../../cli.js'
import type { Verb } from '../../command.js'
import { issued } from '../../input/form.js'
import { givenSecret } from '../../input/pipe.js'
import { joinedAgent } from '../../show/actor.js'
import { start } from '../../start.js'
import { cleanLine } from '../../terminal/clean.js'
import { serverToSignIn } from '../account/server.js'

export const join: Verb = (agent) => {
  agent
    .command('join')
    .description('Redeem the code of an invited agent, and save its key on this machine')
    .argument('[code]', 'One-time code; without one, it is read from a prompt or standard input')
    .option('--installation <id>', 'ID of this installation (default: one for this account of this machine)')
    .option('--adapter <name>', 'Protocol it is connected by, such as mcp')
    .addHelpText(
      'after',
      `
The key is shown nowhere. It is saved in a profile of its own, named after the agent or with --profile; the account in use
stays the same. If the answer was lost, run the same line again within ten minutes.

Example:
  $ spaces agent join agt_code_… --url https://spaces.example.org
  $ spaces agent run --profile scout -- ./work`,
    )
    .action(
      start(async (cli, given, { installation, adapter: agent_adapter }) => {
        const url = await serverToSignIn(cli)
        const { namedProfile } = cli
        const saved = namedProfile === undefined ? undefined : (await cli.profiles.read()).profiles[namedProfile]
        // An agent that has joined cannot be saved under a name that is taken, so this is checked first. An agent that
        // joined from here may be the same one, which the same line is run for again.
        if (namedProfile && saved?.installation_id === undefined) requireFree(namedProfile, saved, {})
        const code = given ?? (await givenSecret(cli, { message: 'Code of the agent', required: 'A code' }))
        const installation_id = installation ?? (await installationIn(dirname(cli.profiles.path)))
        const redeemed = await cli.clientFor({ url }).agentCode.redeem.mutate({ code, installation_id, agent_adapter })
        const { api_key, ...actor } = redeemed
        const { display_name } = actor
        const [actor_id, token] = [issued('actor ID', actor.actor_id), issued('token', api_key)]
        const now = cli.nowAt(url)
        const account = { url: now, token, actor_id, display_name, installation_id }
        const profile = await nameFor(cli, account)
        await cli.profiles.save(profile, account)
        cli.out.result({ ...actor, url: now, profile, installation_id }, joinedAgent)
        cli.out.note(`\nSee what waits for it: spaces inbox --profile ${profile}`)
      }),
    )
}

/** The profile that is asked for, the one that the agent has already, or one named after it that is not taken. */
async function nameFor(cli: Cli, { url, actor_id, display_name }: Profile): Promise<string> {
  if (cli.namedProfile) return cli.namedProfile
  const { profiles } = await cli.profiles.read()
  const its = Object.entries(profiles).find(([, saved]) => saved.url === url && saved.actor_id === actor_id)
  if (its) return its[0]
  const name =
    cleanLine(display_name)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '') || 'agent'
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`
    if (!profiles[candidate]) return candidate
  }
}
