import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { failed } from '../failure.js'

/** An opener that fails does so at once; one that still runs after this time is the browser itself. */
const FAILURE_MS = 2_000

/**
 * Opens a page in a browser, which keeps running when this command has ended. Fails for what is not a web address, as an
 * opener would run it, and if the opener fails.
 */
export async function openInBrowser(browser: string | null, address: string): Promise<void> {
  const { protocol } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') throw failed(`Not a web page: ${address}`)
  const hint = `Open the page yourself: ${address}`
  if (browser === null) throw failed('No display to open a browser on', hint)
  const [command = '', ...args] = browser.split(/\s+/)
  const opener = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
  const exit = once(opener, 'exit').catch(() => {
    throw failed(`Cannot start a browser: ${browser}`, hint)
  })
  const [code = 0] = (await Promise.race([exit, delay(FAILURE_MS, [0], { ref: false })])) as [number | null]
  if (code !== 0) throw failed(`The browser did not open: ${browser}`, hint)
  opener.unref()
}
