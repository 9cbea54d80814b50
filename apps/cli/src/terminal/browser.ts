import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { failed } from '../failure.js'

/** Opens a page in a browser, which goes on when this command has ended. An opener would run what is no web address. */
export async function openInBrowser(browser: string, address: string): Promise<void> {
  const { protocol } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') throw failed(`Not a web page: ${address}`)
  const [command = '', ...args] = browser.split(/\s+/)
  const opener = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
  try {
    await once(opener, 'spawn')
  } catch {
    throw failed(`Cannot start a browser: ${browser}`, `Open the page yourself: ${address}`)
  }
  opener.unref()
}
