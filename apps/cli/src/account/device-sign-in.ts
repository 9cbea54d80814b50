import { setTimeout as delay } from 'node:timers/promises'
import type { Actor } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { failed } from '../failure.js'
import { StyledText, styled } from '../terminal/styled.js'
import { machineName } from './browser-sign-in.js'

/** Shows a code for a human to type on the page, on any machine, and waits for the authorization. */
export async function signInWithDevice(
  cli: Cli,
  url: string,
): Promise<{ readonly token: string; readonly actor: Actor }> {
  const { device } = cli.clientFor({ url })
  const authorization = await device.begin.mutate({ name: machineName() })
  cli.out.note(styled`Open ${authorization.verification_url} in a browser, and enter this code:`)
  cli.out.note(StyledText.line(authorization.user_code))
  const end = Date.now() + authorization.expires_in * 1_000
  while (Date.now() < end) {
    await delay(authorization.interval * 1_000)
    const { token, actor } = await device.poll.mutate({ device_code: authorization.device_code })
    if (token !== null && actor !== null) return { token, actor }
  }
  throw failed('The code was not entered in time', 'Start over: spaces login --device')
}
