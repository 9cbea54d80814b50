import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freshHome } from '../support/machine.js'
import { Disguise } from './disguise.js'
import { scriptsIn, stepsIn, withOutputs } from './document.js'
import { Shell } from './shell.js'

/** Where the server is in every document, and where the person lives. */
const HOST = '127.0.0.1:8080'
const HOME = '/home/ada'

/** A document as it is, and as it would be with what its lines print now. */
export interface Told {
  readonly is: string
  readonly wouldBe: string
}

/** Types every line of a document into a shell, at a machine on which nothing has happened yet. */
export async function tell(path: string, server: { readonly url: string }): Promise<Told> {
  const is = await readFile(path, 'utf8')
  const home = await freshHome()
  const disguise = new Disguise([
    [new URL(server.url).host, HOST],
    [home, HOME],
  ])
  for (const { name, text } of scriptsIn(is)) await writeFile(join(home, name), disguise.lift(text))
  const shell = await Shell.in(home)
  try {
    const outputs: string[] = []
    for (const { typed, printed } of stepsIn(is)) {
      outputs.push(disguise.put(await shell.run(disguise.lift(typed)), printed))
    }
    return { is, wouldBe: withOutputs(is, outputs) }
  } finally {
    shell.close()
  }
}

/** Columns are as wide as what stands in them, and a minute later that may be another time. */
export const regardlessOfWidth = (text: string) => text.replace(/ {2,}/g, '  ')
