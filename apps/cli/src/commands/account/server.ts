import { serverUrl } from '../../account/url.js'
import type { Cli } from '../../cli.js'
import { explain } from '../../explain.js'
import { styled } from '../../terminal/styled.js'

/**
 * The server to sign in to: the one that is named, or that a person enters. A person is told at once when it does not
 * answer, before any other question, and may enter another one.
 */
export async function serverToSignIn(cli: Cli): Promise<string> {
  const url = cli.namedUrl ?? (await cli.defaultUrl())
  const chosen = cli.prompt.canAsk ? await reachableServer(cli, url) : url
  cli.warnIfExposed(chosen)
  return chosen
}

async function reachableServer(cli: Cli, suggested: string): Promise<string> {
  if (cli.namedUrl !== undefined) {
    await greet(cli, suggested)
    return suggested
  }
  for (let initial = suggested; ; ) {
    const url = serverUrl(await askFor(cli, initial), 'The server')
    try {
      await greet(cli, url)
      return url
    } catch (error) {
      cli.out.note(styled`${explain(error).detail}. Is the server running, and is this its address?`)
      initial = url
    }
  }
}

const askFor = (cli: Cli, initial: string) =>
  cli.prompt.text({
    message: 'Address of the server',
    required: '--url',
    initial,
    problemWith: (answer) => problemWith(() => serverUrl(answer, 'The server')),
  })

function problemWith(check: () => unknown): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return explain(error).detail
  }
}

/** Fails when there is no answer, or none of ours. */
async function greet(cli: Cli, url: string): Promise<void> {
  await cli.clientFor({ url }).get('/health')
}
