import { checkDatabase, type Problem, requireMigrated } from '@collab-spaces/operator'
import { Command } from 'commander'
import type { CommandContext } from './context.js'
import { counted, progressTo } from './progress.js'

/** Data with more problems is beyond repair as a whole: the rest is not listed event by event. */
const MAX_PROBLEMS = 1_000

export function checkCommand(context: CommandContext): Command {
  const { withConnection, logSigner, bucket, issuerProblem, say, note, fail, signal } = context
  return new Command('check')
    .description(
      'Check that all data is intact: every space gapless, every event readable, every act accounted for, every history as it was sealed, every file as its hash says, every reference valid; and that OIDC_ISSUER is what the identity provider calls itself',
    )
    .action(({ json }: { json?: true }) =>
      withConnection(async (connection, directory) => {
        await requireMigrated(connection)
        const problems: Problem[] = []
        const report = (problem: Problem) => {
          if (problems.length === MAX_PROBLEMS) return
          problems.push(problem)
          if (!json) say(lineOf(problem))
        }
        const key = (await logSigner(connection, directory))?.key ?? null
        const issuer = await issuerProblem()
        if (issuer?.isMismatch) report({ problem: issuer.message })
        else if (issuer) note(`Note: ${issuer.message}`)
        const found = await checkDatabase(connection, key, report, progressTo(note), signal, bucket)
        if (problems.length > 0) fail()
        if (json) return say(JSON.stringify({ ...found, problems }))
        for (const { tenant_id, space_id, last_event_at } of found.ahead) {
          say(`Note: space ${space_id} (tenant ${tenant_id}): new events get the time ${last_event_at} until then`)
        }
        const { spaces, events, acts, sealed, contents, references } = found
        const beyond = problems.length === MAX_PROBLEMS ? ', or more' : ''
        say(
          `Checked ${counted(events, 'event')} and ${counted(acts, 'act')} in ${counted(spaces, 'space')}, ` +
            `${counted(sealed, 'sealed entry', 'sealed entries')}, ${counted(contents, 'content of files', 'contents of files')}, and ${counted(references, 'kind of reference', 'kinds of reference')}: ` +
            (problems.length === 0 ? 'all is well.' : `${counted(problems.length, 'problem')} found${beyond}.`),
        )
      }),
    )
}

const lineOf = ({ tenant_id, space_id, problem }: Problem) =>
  space_id === undefined ? problem : `space ${space_id} (tenant ${tenant_id}): ${problem}`
