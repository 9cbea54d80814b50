import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failed } from '../failure.js'
import { textFrom } from './utf8.js'

/** The text that a person writes in their editor. No other account can read it meanwhile. */
export async function editedText(editor: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'spaces-'))
  const path = join(directory, 'text.md')
  try {
    await writeFile(path, '', { mode: 0o600 })
    await run(editor, path)
    return (await textFrom(path, 'The text')).trimEnd()
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** The editor may have arguments of its own, as in `code --wait`. */
async function run(editor: string, path: string): Promise<void> {
  const process = spawn(`${editor} "${path}"`, { shell: true, stdio: 'inherit' })
  const [code] = await once(process, 'close')
  if (code !== 0) throw failed(`The editor failed: ${editor}`, 'Name another one: SPACES_EDITOR, VISUAL or EDITOR')
}
